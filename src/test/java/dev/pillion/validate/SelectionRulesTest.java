package dev.pillion.validate;

import static dev.pillion.validate.Verdicts.fields;
import static dev.pillion.validate.Verdicts.set;
import static dev.pillion.validate.Verdicts.texts;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;

import tools.jackson.databind.node.ObjectNode;

/** What users try and cannot have, refused as in the reference with a text that says what to do instead. */
final class SelectionRulesTest {
    private static final String LOG = "{'name':'log','image':'log:1'}";

    /** FR-46: a set that would select by its namespaces alone. */
    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "{'matchLabels':{}}", "{'matchLabels':{},'matchExpressions':[]}", "{'matchExpressions':null}"})
    void namespacesAloneDoNotSelect(String selector) {
        ObjectNode set = set("one", "{'namespaceSelector':{'matchLabels':{'team':'a'}},'containers':[" + LOG + "]}");
        set.withObjectProperty("spec").set("selector", Json.read(selector.replace('\'', '"')));
        ObjectNode absent = set.deepCopy();
        absent.withObjectProperty("spec").remove("selector");

        assertThat(fields(new Verdicts().create(set))).containsExactly("spec.selector");
        assertThat(fields(new Verdicts().create(absent))).containsExactly("spec.selector");
        assertThat(texts(new Verdicts().create(set))).contains("at least one label");
    }

    @Test
    void anyPodOfANamespaceWithACommonLabelCanBeSelected() {
        assertThat(new Verdicts().create(set("one", "{'namespaceSelector':{'matchLabels':{'team':'a'}},'selector':{'matchExpressions':["
                + "{'key':'app','operator':'Exists'}]},'containers':[" + LOG + "]}")).faults()).isEmpty();
    }

    /** FR-22: a native sidecar cannot be updated in place; RollingUpdate is also what an absent type becomes. */
    @ParameterizedTest
    @ValueSource(strings = {"'type':'RollingUpdate'", "'type':''", "'maxUnavailable':1"})
    void nativeSidecarsDoNotRoll(String strategy) {
        String spec = "{'updateStrategy':{" + strategy + "},'initContainers':[{'name':'plain','image':'p:1'},"
                + "{'name':'proxy','image':'p:1','restartPolicy':'Always'}],'containers':[" + LOG + "]}";
        ObjectNode quiet = set("one", spec.replace("{" + strategy + "}", "{'type':'NotUpdate'}"));

        assertThat(fields(new Verdicts().create(set("one", spec)))).containsExactly("spec.updateStrategy");
        assertThat(texts(new Verdicts().create(set("one", spec)))).contains("\"proxy\"", "NotUpdate");
        assertThat(fields(new Verdicts().update(quiet, set("one", spec)))).containsExactly("spec.updateStrategy");
        assertThat(new Verdicts().create(quiet).faults()).isEmpty();
        assertThat(new Verdicts().create(set("one", spec.replace(",'restartPolicy':'Always'", ""))).faults()).isEmpty();
    }

    /** A short expression that would take all memory is refused before it is compiled. */
    @Test
    void expressionsOfContainerNamesAreBounded() {
        ObjectNode set = set("one", "{'containers':[{'name':'log','image':'log:1','resourcesPolicy':{'targetContainersMode':'sum',"
                + "'targetContainersNameRegex':'(((x{1000}){1000}){1000})','resourcesExpr':{'limits':{'cpu':'cpu'}}}}]}");

        assertThat(fields(new Verdicts().create(set))).containsExactly("spec[0].resourcesPolicy.targetContainersNameRegex");
        assertThat(texts(new Verdicts().create(set))).contains("1000 copies");
    }
}
