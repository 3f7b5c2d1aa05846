package dev.pillion.validate;

import static dev.pillion.validate.Verdicts.canary;
import static dev.pillion.validate.Verdicts.set;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.pillion.api.Json;

import tools.jackson.databind.node.ObjectNode;

/** Accepted but risky input: what is said, and that nothing is said without cause. */
final class WarningsTest {
    private static final String SIZED = "'resources':{'limits':{'cpu':'1'}}";
    private static final String LOG = "{'name':'log','image':'log:1'," + SIZED + "}";

    private static List<String> warnings(ObjectNode set) {
        Validation validation = new Verdicts().create(set);
        assertThat(validation.faults()).isEmpty();
        return validation.warnings();
    }

    private static List<String> warnings(ObjectNode old, ObjectNode now) {
        Validation validation = new Verdicts().update(old, now);
        assertThat(validation.faults()).isEmpty();
        return validation.warnings();
    }

    @Test
    void nothingIsSaidWithoutCause() {
        ObjectNode quiet = set("one", "{'containers':[" + LOG + "],'initContainers':[{'name':'prepare','image':'p:1'," + SIZED + "}]}");

        assertThat(warnings(quiet)).isEmpty();
        assertThat(warnings(quiet, quiet)).isEmpty();
    }

    @Test
    void noResources() {
        assertThat(warnings(set("one", "{'containers':[{'name':'log','image':'log:1'}]}"))).singleElement().asString()
                .contains("\"log\" sets no resources");
        assertThat(warnings(set("one",
                "{'updateStrategy':{'type':'NotUpdate'},'initContainers':[{'name':'n','image':'n:1','restartPolicy':'Always'}]}")))
                .singleElement().asString().contains("\"n\" sets no resources");
        assertThat(warnings(set("one", "{'initContainers':[{'name':'ends','image':'e:1'}]}"))).singleElement().asString()
                .contains("\"ends\" sets no resources");
        assertThat(warnings(set("one", "{'containers':[{'name':'log','image':'log:1','resourcesPolicy':{'targetContainersMode':'sum',"
                + "'targetContainersNameRegex':'.*','resourcesExpr':{'limits':{}}}}]}"))).singleElement().asString()
                .contains("\"log\" sets no resources");
    }

    /** Trap 14 and section 8: values that are let pass and do nothing. */
    @Test
    void unknownWordsThatCountAsTheDefault() {
        String typo = LOG.replace("'image'",
                "'upgradeStrategy':{'upgradeType':'Hotupgrade'},'shareVolumeDevicePolicy':{'type':'on'},'image'");

        assertThat(warnings(set("one", "{'containers':[" + typo + "]}"))).satisfiesExactly(
                w -> assertThat(w).contains("\"log\"", "\"Hotupgrade\" is unknown and counts as ColdUpgrade"),
                w -> assertThat(w).contains("\"log\"", "shareVolumeDevicePolicy.type \"on\" is unknown"));
    }

    /** A merge that refuses every pod which has the annotation already. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"not json | true", "1 | true", "null | true", "'' | true", "{\"a\":1} | false", "[1] | false"})
    void mergePatchesThatCannotBeMerged(String text, boolean warned) {
        ObjectNode set = set("one", "{'containers':[" + LOG + "]}");
        ObjectNode entry = set.withObjectProperty("spec").putArray("patchPodMetadata").addObject().put("patchPolicy", "MergePatchJson");
        entry.putObject("annotations").put("k", text);
        Validation validation = new Verdicts().whitelist("{\"rules\":[{\"allowedAnnotationKeyExprs\":[\"k\"]}]}").create(set);

        assertThat(validation.faults()).isEmpty();
        assertThat(validation.warnings().stream().anyMatch(w -> w.contains("annotation \"k\"") && w.contains("MergePatchJson")))
                .isEqualTo(warned);
        entry.put("patchPolicy", "Retain");
        assertThat(new Verdicts().whitelist("{\"rules\":[{\"allowedAnnotationKeyExprs\":[\"k\"]}]}").create(set).warnings()).isEmpty();
    }

    /** FR-47. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {"Partial | 'partition':2 | true", "Partial | 'partition':'20%' | false",
            "Always | 'partition':2 | false", "Partial | 'selector':{'matchLabels':{'a':'b'}} | false"})
    void integerPartitionWithPolicyPartial(String policy, String strategy, boolean warned) {
        ObjectNode set = set("one", "{'containers':[" + LOG + "],'updateStrategy':{" + strategy
                + "},'injectionStrategy':{'revision':{'revisionName':'one-x','policy':'" + policy + "'}}}");

        assertThat(warnings(set).stream().anyMatch(w -> w.contains("policy Partial"))).isEqualTo(warned);
    }

    @ParameterizedTest
    @CsvSource({"0,stops the roll-out", "'''0%''',stops the roll-out", "'''00%''',stops the roll-out", "'''150%''',more than all pods",
            "'''2147483647%''',more than all pods",
            "'''2147483648%''',counts as 0 and stops the roll-out",
            "'''101%''',more than all pods"})
    void extremeMaxUnavailable(String amount, String says) {
        assertThat(warnings(set("one", "{'containers':[" + LOG + "],'updateStrategy':{'maxUnavailable':" + amount + "}}"))).singleElement()
                .asString()
                .contains(says);
    }

    @ParameterizedTest
    @CsvSource({"1", "'''100%'''", "'''001%'''", "'''099%'''"})
    void ordinaryMaxUnavailable(String amount) {
        assertThat(warnings(set("one", "{'containers':[" + LOG + "],'updateStrategy':{'maxUnavailable':" + amount + "}}"))).isEmpty();
    }

    /** FR-35. */
    @Test
    void aChangeThatDoesNotReachRunningPods() {
        ObjectNode old = set("one", "{'containers':[" + LOG + "]}");

        assertThat(warnings(old, set("one", "{'containers':[" + LOG.replace("log:1", "log:2") + "]}"))).isEmpty();
        assertThat(warnings(old, set("one", "{'containers':[" + LOG.replace("'name'", "'tty':true,'name'") + "]}"))).singleElement()
                .asString()
                .contains("more than an image");
        assertThat(warnings(old, set("one", "{'containers':[" + LOG + "],'volumes':[{'name':'v','emptyDir':{}}]}"))).singleElement()
                .asString()
                .contains("new pods only");
        assertThat(warnings(old, set("one", "{'containers':[" + LOG + "],'initContainers':[{'name':'i','image':'i:1'," + SIZED + "}]}")))
                .singleElement()
                .asString()
                .contains("new pods only");
        assertThat(warnings(old, set("one", "{'selector':{'matchLabels':{'app':'x'}},'containers':[" + LOG + "]}"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {"cpu*50% | cpu*30% | true", "cpu | cpu | false", "cpu | ~~ | false"})
    void expressionsWhoseRequestCanExceedTheLimit(String limit, String request, boolean warned) {
        ObjectNode set = set("one", "{'containers':[{'name':'log','image':'log:1','resourcesPolicy':{'targetContainersMode':'sum',"
                + "'targetContainersNameRegex':'.*','resourcesExpr':{'limits':{'cpu':'" + limit + "'},'requests':{"
                + (request.isEmpty() ? "" : "'cpu':'" + request + "'") + "}}}}]}");

        assertThat(warnings(set).stream().anyMatch(w -> w.contains("can exceed"))).isEqualTo(warned);
    }

    /** Trap 5: the overlap that the compatible check does not see, init against regular names, and never one's own canary. */
    @Test
    void realConflictsThatTheCompatibleCheckOverlooks() {
        ObjectNode nginx = set("a", "{'selector':{'matchLabels':{'app':'nginx'}},'containers':[" + LOG + "]}");
        ObjectNode exists = set("b", "{'selector':{'matchExpressions':[{'key':'tier','operator':'Exists'}]},'containers':[" + LOG + "]}");
        ObjectNode init = set("c", "{'selector':{'matchLabels':{'app':'nginx'}},'initContainers':[{'name':'log','image':'i:1'}]}");
        ObjectNode canary = canary("d", "a", "{'selector':{'matchLabels':{'app':'nginx'}},'containers':[" + LOG + "]}");

        for (ObjectNode other : List.of(exists, init)) {
            Validation validation = new Verdicts().beside(nginx).create(other);
            assertThat(validation.faults()).isEmpty();
            assertThat(validation.warnings())
                    .anyMatch(w -> w.contains("container \"log\" is also in SidecarSet \"a\"") && w.contains("app=nginx")
                            && w.contains("validation.overlap: strict"));
        }
        assertThat(new Verdicts().beside(nginx).create(canary).warnings()).isEmpty();
    }

    /** api.md trap 11. */
    @Test
    void namespaceBesideNamespaceSelectorIsOfV1alpha1Only() {
        String both = "{\"apiVersion\":\"apps.kruise.io/v1alpha1\",\"spec\":{\"namespace\":\"shop\",\"namespaceSelector\":{\"matchLabels\":{}}}}";

        assertThat(AlphaWarnings.of(Json.read(both))).singleElement().asString().contains("\"shop\"", "spec.namespaceSelector");
        assertThat(AlphaWarnings.of(Json.read(both.replace("v1alpha1", "v1beta1")))).isEmpty();
        assertThat(AlphaWarnings.of(Json.read(both.replace("shop", "")))).isEmpty();
        assertThat(AlphaWarnings.of(Json.read(both.replace("{\"matchLabels\":{}}", "null")))).isEmpty();
        assertThat(AlphaWarnings.of(Json.read("[]"))).isEmpty();
    }
}
