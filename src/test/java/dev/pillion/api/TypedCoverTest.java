package dev.pillion.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

/** What a server made of a container since it was written does not count as a change (FR-20). */
final class TypedCoverTest {

    private static boolean covers(String existing, String wanted, String type) {
        return TypedCover.inPod(json(existing), json(wanted), type);
    }

    private static JsonNode json(String text) {
        return Json.read(text.replace('`', '"'));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {`name`:`a`,`image`:`i`,`terminationMessagePolicy`:`File`} | {`name`:`a`,`image`:`i`}
            {`name`:`a`} | {`name`:`a`,`image`:``,`stdin`:false,`command`:[],`resources`:{`limits`:{}},`args`:null,`lifecycle`:null}
            {`env`:[{`name`:`X`},{`name`:`Y`,`value`:`1`}]} | {`env`:[{`name`:`X`,`value`:``}]}
            {`env`:[{`name`:`N`,`value`:`0`},{`name`:`X`,`value`:`1`},{`name`:`Y`}]} | {`env`:[{`name`:`X`,`value`:`1`},{`name`:`Y`}]}
            {`volumeMounts`:[{`name`:`v`,`mountPath`:`/v`}]} | {`volumeMounts`:[{`name`:`v`,`mountPath`:`/v`,`readOnly`:false,`subPath`:``}]}
            {`livenessProbe`:{`periodSeconds`:10}} | {`livenessProbe`:{`initialDelaySeconds`:0}}
            {`resources`:{`limits`:{`cpu`:`500m`,`memory`:`1Gi`},`requests`:{`cpu`:`500m`}}} | {`resources`:{`limits`:{`cpu`:0.5,`memory`:`1024Mi`}}}
            {`resources`:{`limits`:{`cpu`:`1m`,`memory`:`643216k`}}} | {`resources`:{`limits`:{`cpu`:`100u`,`memory`:`643216000`}}}
            {`name`:`a`} | {`name`:`a`,`inventedTomorrow`:{`x`:1}}
            {`name`:`a`,`inventedTomorrow`:1} | {`name`:`a`,`inventedTomorrow`:1}
            {`command`:[`a`,`b`]} | {`command`:[`a`,`b`]}
            {`securityContext`:{`privileged`:false,`runAsUser`:0}} | {`securityContext`:{`privileged`:false,`runAsUser`:0}}
            {`env`:[{`name`:`L`,`valueFrom`:{`resourceFieldRef`:{`resource`:`limits.cpu`,`divisor`:`0`}}}]} | {`env`:[{`name`:`L`,`valueFrom`:{`resourceFieldRef`:{`resource`:`limits.cpu`}}}]}
            """)
    void isStillWhatWasWritten(String existing, String wanted) {
        assertThat(covers(existing, wanted, "Container")).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {`name`:`a`,`image`:`j`} | {`name`:`a`,`image`:`i`}
            {`name`:`a`} | {`name`:`a`,`image`:`i`}
            {`env`:[{`name`:`X`}]} | {`env`:[{`name`:`X`,`value`:`1`}]}
            {`env`:[{`name`:`X`,`value`:`1`}]} | {`env`:[{`name`:`X`,`value`:``}]}
            {`env`:[{`name`:`Y`},{`name`:`X`}]} | {`env`:[{`name`:`X`},{`name`:`Y`}]}
            {`volumeMounts`:[{`name`:`v`,`mountPath`:`/v`,`readOnly`:true}]} | {`volumeMounts`:[{`name`:`v`,`mountPath`:`/v`,`readOnly`:false}]}
            {`resources`:{`limits`:{`cpu`:`1`}}} | {`resources`:{`limits`:{`cpu`:`500m`}}}
            {`resources`:{}} | {`resources`:{`requests`:{`cpu`:`0`}}}
            {`name`:`a`,`inventedTomorrow`:1} | {`name`:`a`,`inventedTomorrow`:2}
            {`command`:[`a`,`b`,`c`]} | {`command`:[`a`,`b`]}
            {`securityContext`:{}} | {`securityContext`:{`privileged`:false}}
            {`name`:`a`} | {`securityContext`:{}}
            {`env`:`odd`} | {`env`:[{`name`:`X`}]}
            """)
    void differs(String existing, String wanted) {
        assertThat(covers(existing, wanted, "Container")).isFalse();
    }
}
