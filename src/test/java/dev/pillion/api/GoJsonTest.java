package dev.pillion.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Go's JSON text (api.md 6), and which values decode at all (validation.md 3). */
final class GoJsonTest {

    @Test
    void escapesAsGoDoes() {
        assertThat(GoJson.quote("\"\\\b\f\n\r\t\u0001\u001f<>&\u2028\u2029/é\u007f"))
                .isEqualTo("\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\\u003c\\u003e\\u0026\\u2028\\u2029/é\u007f\"");
        assertThat(GoJson.quote("\ud83d\ude00 \ud83d \ude00")).isEqualTo("\"\ud83d\ude00 \ufffd \ufffd\"");
    }

    @Test
    void sortsKeysByTheirBytes() {
        assertThat(GoJson
                .encode(Json.read("{\"b\":1,\"a\":{\"y\":[{\"d\":1,\"c\":null}],\"x\":true},\"\ud83d\ude00\":1,\"\uffee\":2,\"ab\":1}")))
                .isEqualTo("{\"a\":{\"x\":true,\"y\":[{\"c\":null,\"d\":1}]},\"ab\":1,\"b\":1,\"\uffee\":2,\"\ud83d\ude00\":1}");
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1.0,1", "9007199254740993,9007199254740992", "1e21,1e+21", "123456789012345678901,123456789012345680000",
            "0.000001,0.000001", "0.0000001,1e-7", "-1.5e-9,-1.5e-9", "0,0", "1e100,1e+100", "2.50,2.5"})
    void floatsPrintAsInGo(String number, String printed) {
        assertThat(GoJson.encodeThroughFloats(Json.read(number))).isEqualTo(printed);
    }

    @Test
    void typedEncodingFollowsTheTables() {
        assertThat(encode("{\"grpc\":{\"port\":1}}", "Probe")).isEqualTo("{\"grpc\":{\"port\":1,\"service\":null}}");
        assertThat(encode("{\"resource\":\"limits.cpu\",\"newer\":1}", "ResourceFieldSelector"))
                .isEqualTo("{\"resource\":\"limits.cpu\",\"divisor\":\"0\"}");
        assertThat(encode("{\"privileged\":false,\"runAsUser\":0}", "SecurityContext")).isEqualTo("{\"privileged\":false,\"runAsUser\":0}");
        assertThat(encode("{\"hostPort\":0}", "ContainerPort")).isEqualTo("{\"containerPort\":0}");
        assertThat(encode("{\"port\":\"http\"}", "TCPSocketAction")).isEqualTo("{\"port\":\"http\"}");
        assertThat(encode("null", "[]Volume")).isEqualTo("null");
        assertThat(encode("[null]", "[]string")).isEqualTo("[\"\"]");
        assertThat(encode("{\"b\":\" 1024Mi \",\"a\":1.50}", "map[string]Quantity")).isEqualTo("{\"a\":\"1500m\",\"b\":\"1Gi\"}");
    }

    @Test
    void valuesOfAWrongKindEncodeAsAbsent() {
        assertThat(encode("{\"name\":7,\"command\":\"x\",\"tty\":\"yes\",\"resources\":[],\"livenessProbe\":3}", "SidecarContainer"))
                .isEqualTo("{\"name\":\"\",\"resources\":{},\"upgradeStrategy\":{},\"shareVolumePolicy\":{}}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{\"spec\":{\"containers\":[{\"name\":\"a\"},{\"name\":1}]}}|spec.containers[1].name",
            "{\"spec\":{\"containers\":{}}}|spec.containers", "{\"spec\":[]}|spec",
            "{\"spec\":{\"containers\":[{\"resources\":{\"limits\":{\"cpu\":\"1x\"}}}]}}|spec.containers[0].resources.limits[cpu]",
            "{\"spec\":{\"updateStrategy\":{\"paused\":\"true\"}}}|spec.updateStrategy.paused",
            "{\"spec\":{\"updateStrategy\":{\"partition\":1.5}}}|spec.updateStrategy.partition",
            "{\"spec\":{\"revisionHistoryLimit\":2147483648}}|spec.revisionHistoryLimit",
            "{\"metadata\":{\"labels\":{\"a\":1}}}|metadata.labels[a]",
            "{\"metadata\":{\"creationTimestamp\":\"yesterday\"}}|metadata.creationTimestamp",
            "{\"spec\":{\"volumes\":[{\"emptyDir\":{\"sizeLimit\":{}}}]}}|spec.volumes[0].emptyDir.sizeLimit"})
    void namesTheFirstValueThatDoesNotDecode(String object, String path) {
        assertThat(TypedDecode.checkSidecarSet(Json.read(object), MemberTable.V1BETA1)).map(TypedDecode.Misfit::path).contains(path);
    }

    @Test
    void unknownMembersAndNullsDecode() {
        assertThat(
                TypedDecode.checkSidecarSet(Json.read("{\"x\":1,\"metadata\":{\"labels\":null},\"spec\":{\"y\":{},\"containers\":[null]}}"),
                        MemberTable.V1ALPHA1))
                .isEmpty();
    }

    private static String encode(String json, String type) {
        return GoJson.encodeTyped(Json.read(json), type, MemberTable.V1BETA1);
    }
}
