package dev.pillion.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

class SelectionTest {
    private static final Map<String, String> LABELS = Map.of("app", "web", "tier", "2", "x.io/empty", "");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            app=web                      | true
            app==web,tier=2              | true
            app!=web                     | false
            other!=web                   | true
            app in (db, web)             | true
            app notin (db,web)           | false
            other notin (db)             | true
            app                          | true
            !app                         | false
            !other , tier>1              | true
            tier<2                       | false
            app>1                        | false
            x.io/empty=                  | true
            x.io/empty in (,a)           | true
            app in (db)                  | false
            """)
    void matchesLabels(String selector, boolean matches) {
        assertThat(LabelSelection.parse(selector).test(LABELS)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"==", "a=b,", "a in", "a in (b", "a between (b)", "a > b", "=x"})
    void refusesWhatIsNoSelector(String selector) {
        assertThatThrownBy(() -> LabelSelection.parse(selector)).isInstanceOfSatisfying(ApiError.class,
                error -> assertThat(error.code()).isEqualTo(400));
    }

    @Test
    void selectsByFieldsOfTheType() {
        ObjectNode pod = Trees.object().put("kind", "Pod");
        pod.putObject("spec").put("nodeName", "n1");
        Stored stored = Stored.of("ns/p", 7, pod);
        Map<String, List<String>> offered = new PodRules().selectableFields();

        assertThat(FieldSelection.parse("spec.nodeName=n1,metadata.name=p", offered, ResourceType.Origin.BUILT_IN).test().test(stored))
                .isTrue();
        assertThat(FieldSelection.parse("spec.nodeName!=n1", offered, ResourceType.Origin.BUILT_IN).test().test(stored)).isFalse();
        assertThat(FieldSelection.parse("status.phase=,metadata.namespace==ns", offered, ResourceType.Origin.BUILT_IN).test().test(stored))
                .isTrue();
        assertThatThrownBy(() -> FieldSelection.parse("spec.foo=1", offered, ResourceType.Origin.BUILT_IN)).isInstanceOf(ApiError.class)
                .hasMessage("field label not supported: spec.foo");
    }

    @ParameterizedTest
    @CsvSource({"0.1,100m", "1000m,1", "1024Mi,1Gi", "1.5Gi,1536Mi", "0.5Ki,512", "1000,1k", "1500,1500", "1e3,1e3", "100000,100k", "0,0",
            "0.0000000001,1n", "1023Ki,1023Ki", "1Gi,1Gi", "-1500m,-1500m"})
    void storesQuantitiesInTheirCanonicalForm(String given, String canonical) {
        assertThat(Amount.canonical(Trees.object().stringNode(given))).contains(canonical);
    }
}
