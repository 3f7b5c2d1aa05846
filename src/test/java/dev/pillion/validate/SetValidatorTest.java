package dev.pillion.validate;

import static dev.pillion.validate.Verdicts.canary;
import static dev.pillion.validate.Verdicts.fields;
import static dev.pillion.validate.Verdicts.set;
import static dev.pillion.validate.Verdicts.texts;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.api.Json;
import dev.pillion.validate.ValidationRequest.Pinned;

import tools.jackson.databind.node.ObjectNode;

/** The traps marked fix in validation.md 12 and api.md 10, their neighbours, and the texts that field reports ask for. */
final class SetValidatorTest {
    private static final String LOG = "{'name':'log','image':'log:1'}";

    private static Verdicts reference() {
        return new Verdicts().options(ValidateOptions.REFERENCE);
    }

    private static ObjectNode one(String container) {
        return set("one", "{'containers':[" + container + "]}");
    }

    @Test
    void acceptsAPlainSet() {
        assertThat(new Verdicts().create(one(LOG)).faults()).isEmpty();
    }

    @Test
    void tellsEveryFaultAtOnceButConflictsOnlyAlone() {
        ObjectNode bad = set("bad.name", "{'selector':{},'containers':[{'name':'log','image':' log:1'}]}");

        Validation validation = new Verdicts().beside(one(LOG)).create(bad);

        assertThat(fields(validation)).contains("metadata.name", "spec.selector", "spec.containers[0].image")
                .doesNotContain("spec.containers");
        assertThat(fields(new Verdicts().beside(one(LOG)).create(set("two", "{'containers':[" + LOG + "]}"))))
                .containsExactly("spec.containers");
    }

    /** Trap 1. */
    @ParameterizedTest
    @ValueSource(strings = {"{'httpGet':{'port':80}}", "{'exec':{'command':['a']}}", "{'grpc':{'port':5}}",
            "{'tcpSocket':{'port':'http'}}"})
    void startupProbesNeedNotSpellOutTheirDefaults(String probe) {
        ObjectNode set = one("{'name':'log','image':'log:1','startupProbe':" + probe + "}");

        assertThat(new Verdicts().create(set).faults()).isEmpty();
        assertThat(reference().create(set).faults()).isNotEmpty();
        assertThat(set.path("spec").path("containers").path(0).path("startupProbe")).isEqualTo(Json.read(probe.replace('\'', '"')));
    }

    /** Its neighbour: image volumes have no default for the pull policy either. */
    @Test
    void imageVolumesNeedNotSpellOutTheirPullPolicy() {
        String spec = "{'containers':[" + LOG + "],'volumes':[{'name':'v','image':{'reference':'r:1'POLICY}}]}";
        ObjectNode set = set("one", spec.replace("POLICY", ""));

        assertThat(new Verdicts().create(set).faults()).isEmpty();
        assertThat(fields(reference().create(set))).containsExactly("spec.volumes[0].image.pullPolicy");
        assertThat(set.at("/spec/volumes/0/image")).isEqualTo(Json.read("{\"reference\":\"r:1\"}"));
        assertThat(fields(new Verdicts().create(set("one", spec.replace("POLICY", ",'pullPolicy':'Odd'")))))
                .containsExactly("spec.volumes[0].image.pullPolicy");
    }

    @Test
    void aFaultyStartupProbeIsRefused() {
        Validation validation = new Verdicts()
                .create(one("{'name':'log','image':'log:1','startupProbe':{'successThreshold':2,'httpGet':{'port':0}}}"));

        assertThat(fields(validation)).contains("spec.containers[0].startupProbe.successThreshold",
                "spec.containers[0].startupProbe.httpGet.port");
    }

    /** Trap 2. */
    @Test
    void aTransferSourceWithoutFieldRefIsRequired() {
        ObjectNode set = one("{'name':'log','image':'log:1','transferEnv':[{'sourceContainerNameFrom':{},'envName':'A'}]}");

        assertThat(fields(new Verdicts().create(set))).containsExactly("spec[0].transferEnv.fieldRef");
    }

    /** Trap 3. */
    @Test
    void anotherSetWithoutSelectorIsNoConflict() {
        ObjectNode stored = one(LOG);
        stored.withObjectProperty("spec").remove("selector");

        assertThat(new Verdicts().beside(stored).create(set("two", "{'containers':[" + LOG + "]}")).faults()).isEmpty();
    }

    /** Trap 4. */
    @Test
    void aBaseCanBeUpdatedBesideItsCanaryButASecondCanaryIsRefused() {
        ObjectNode base = one(LOG);
        ObjectNode first = canary("first", "one", "{'containers':[" + LOG + "]}");
        ObjectNode second = canary("second", "one", "{'containers':[" + LOG + "]}");

        assertThat(new Verdicts().beside(base).beside(first).update(base, base).faults()).isEmpty();
        assertThat(fields(reference().beside(base).beside(first).update(base, base))).containsExactly("spec.containers");
        assertThat(new Verdicts().beside(base).create(first).faults()).isEmpty();
        assertThat(texts(new Verdicts().beside(base).beside(first).create(second))).contains("SidecarSet \"first\"")
                .doesNotContain("\"one\"");
    }

    /** Trap 9. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {"'type':'Foo' | type", "'type':'NotUpdate','partition':-1 | partition",
            "'type':'NotUpdate','maxUnavailable':'x' | maxUnavailable",
            "'type':'NotUpdate','selector':{'matchExpressions':[{'key':'a','operator':'Near'}]} | selector.matchExpressions[0].operator"})
    void unknownTypesAndAmountsAreRefusedUnlessTheyAreStoredAlready(String strategy, String field) {
        ObjectNode set = set("one", "{'updateStrategy':{" + strategy + "},'containers':[" + LOG + "]}");
        ObjectNode changed = set.deepCopy();
        changed.withObjectProperty("spec").withObjectProperty("updateStrategy").put("paused", true);

        assertThat(fields(new Verdicts().create(set))).containsExactly("spec.updateStrategy." + field);
        assertThat(reference().create(set).faults()).isEmpty();
        assertThat(fields(new Verdicts().update(one(LOG), set))).containsExactly("spec.updateStrategy." + field);
        assertThat(new Verdicts().update(set, changed).faults()).isEmpty();
    }

    /** Trap 9 where it hurts: injection asks partition and selector only once a revision is pinned with policy Partial. */
    @ParameterizedTest
    @ValueSource(strings = {"'partition':'abc%'", "'selector':{'matchExpressions':[{'key':'a','operator':'Near'}]}"})
    void whatWasStoredUnaskedIsJudgedWhenInjectionBeginsToAskIt(String member) {
        String pin = "'injectionStrategy':{'revision':{'revisionName':'one-x','policy':'Partial'}},";
        String spec = "{PIN'updateStrategy':{'type':'NotUpdate'," + member + "},'containers':[" + LOG + "]}";
        ObjectNode before = set("one", spec.replace("PIN", ""));
        ObjectNode always = set("one", spec.replace("PIN", pin.replace("Partial", "Always")));
        ObjectNode partial = set("one", spec.replace("PIN", pin));

        assertThat(fields(new Verdicts().update(before, partial))).hasSize(1).first().asString().startsWith("spec.updateStrategy.");
        assertThat(fields(new Verdicts().update(always, partial))).hasSize(1);
        assertThat(new Verdicts().update(before, always).faults()).isEmpty();
        assertThat(new Verdicts().update(partial, partial).faults()).isEmpty();
    }

    /** Trap 14. */
    @Test
    void hotUpgradeNeedsAnEmptyImageUnlessItWasStoredWithout() {
        ObjectNode without = one("{'name':'mesh','image':'m:1','upgradeStrategy':{'upgradeType':'HotUpgrade'}}");
        ObjectNode with = one("{'name':'mesh','image':'m:1','upgradeStrategy':{'upgradeType':'HotUpgrade','hotUpgradeEmptyImage':'e:1'}}");
        String field = "spec.containers.upgradeStrategy.hotUpgradeEmptyImage";

        assertThat(fields(new Verdicts().create(without))).containsExactly(field);
        assertThat(fields(new Verdicts().create(one("{'name':'mesh','image':'m:1','upgradeStrategy':{'upgradeType':'HotUpgrade',"
                + "'hotUpgradeEmptyImage':' e:1'}}")))).as("what the API server refuses in every pod").containsExactly(field);
        assertThat(reference().create(without).faults()).isEmpty();
        assertThat(fields(new Verdicts().update(with, without))).containsExactly(field);
        assertThat(new Verdicts().update(without, without).faults()).isEmpty();
        assertThat(new Verdicts().update(without, without).warnings()).anyMatch(w -> w.contains("no hotUpgradeEmptyImage"));
    }

    /** Trap 15, and an init container that comes to bear a twin's name. */
    @Test
    void twinsOfHotUpgradeHaveNamesOfTheirOwn() {
        String hot = "{'name':'mesh','image':'m:1','upgradeStrategy':{'upgradeType':'HotUpgrade','hotUpgradeEmptyImage':'e:1'}}";
        String other = "{'name':'mesh-2','image':'m:1'}";
        ObjectNode both = one(hot + "," + other);
        ObjectNode withInit = set("one", "{'containers':[" + hot + "],'initContainers':[" + other + "]}");

        assertThat(texts(new Verdicts().create(both))).contains("\"mesh\" with HotUpgrade becomes \"mesh-2\"");
        assertThat(reference().create(both).faults()).isEmpty();
        assertThat(fields(new Verdicts().create(withInit))).containsExactly("spec.containers.name");
        assertThat(fields(new Verdicts().update(one(hot), withInit))).containsExactly("spec.containers.name");
        assertThat(new Verdicts().update(both, both).faults()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"61,true", "62,false", "63,false"})
    void twinsKeepTheLengthLimit(int length, boolean accepted) {
        ObjectNode set = one("{'name':'" + "m".repeat(length)
                + "','image':'m:1','upgradeStrategy':{'upgradeType':'HotUpgrade','hotUpgradeEmptyImage':'e:1'}}");

        assertThat(new Verdicts().create(set).isAccepted()).isEqualTo(accepted);
        assertThat(reference().create(set).faults()).isEmpty();
    }

    /** Native sidecars become twins as well. */
    @Test
    void nativeSidecarsWithHotUpgradeFollowTheSameRules() {
        String hot = "{'name':'mesh','image':'m:1','restartPolicy':'Always','upgradeStrategy':{'upgradeType':'HotUpgrade'EMPTY}}";
        String sound = hot.replace("EMPTY", ",'hotUpgradeEmptyImage':'e:1'");
        ObjectNode without = inits(hot.replace("EMPTY", ""));
        ObjectNode with = inits(sound);
        ObjectNode both = inits(sound + ",{'name':'mesh-1','image':'m:1'}");

        assertThat(fields(new Verdicts().create(without))).containsExactly("spec.initContainers.upgradeStrategy.hotUpgradeEmptyImage");
        assertThat(reference().create(without).faults()).isEmpty();
        assertThat(new Verdicts().create(with).faults()).isEmpty();
        assertThat(new Verdicts().update(without, without).faults()).isEmpty();
        assertThat(fields(new Verdicts().update(with, without))).isNotEmpty();
        assertThat(texts(new Verdicts().create(both))).contains("\"mesh\" with HotUpgrade becomes \"mesh-1\"");
        assertThat(fields(new Verdicts().create(inits(sound.replace("mesh", "m".repeat(62)))))).containsExactly("spec.initContainers.name");
        assertThat(new Verdicts().create(inits(sound.replace("'restartPolicy':'Always',", "").replace("'e:1'", "''"))).faults())
                .as("without Always there are no twins").isEmpty();
    }

    private static ObjectNode inits(String containers) {
        return set("one", "{'updateStrategy':{'type':'NotUpdate'},'initContainers':[" + containers + "]}");
    }

    private static ObjectNode computed(String memory) {
        return one("{'name':'log','image':'log:1','resourcesPolicy':{'targetContainersMode':'sum','targetContainersNameRegex':'.*',"
                + "'resourcesExpr':{'limits':{'memory':'" + memory + "'}}}}");
    }

    /** Trap 17: what is judged by the number 1 in the reference. */
    @Test
    void expressionsAreJudgedByKinds() {
        assertThat(new Verdicts().create(computed("memory - 100Mi")).faults()).isEmpty();
        assertThat(reference().create(computed("memory - 100Mi")).faults()).isNotEmpty();
    }

    /** Traps 17 and 18: refused when they come, kept when they are there. */
    @ParameterizedTest
    @ValueSource(strings = {"memory*memory", "100Mi/memory", "5x", "100mi", "100K", " ", "memory\\u0000"})
    void expressionsThatCannotWorkAreRefusedUnlessTheyAreStoredAlready(String expression) {
        String field = "spec[0].resourcesPolicy.resourcesExpr.limits.memory";

        assertThat(fields(new Verdicts().create(computed(expression)))).containsExactly(field);
        assertThat(reference().create(computed(expression)).faults()).isEmpty();
        assertThat(fields(new Verdicts().update(computed("memory"), computed(expression)))).containsExactly(field);
        assertThat(new Verdicts().update(computed(expression), computed(expression)).faults()).isEmpty();
    }

    /** Whatever the pod: the better check must not overlook what the reference refuses. */
    @ParameterizedTest
    @ValueSource(strings = {"memory/(1-1)", "memory/-0", "memory/0%", "memory/max(0,-1)", "memory*1e400"})
    void expressionsThatFailForEveryPodAreRefused(String expression) {
        assertThat(new Verdicts().create(computed(expression)).faults()).isNotEmpty();
        assertThat(reference().create(computed(expression)).faults()).isNotEmpty();
        assertThat(new Verdicts().create(computed("memory/(2-1)*1e3")).faults()).isEmpty();
    }

    @Test
    void anExpressionThatNeverWorkedIsRefusedEvenIfStored() {
        assertThat(new Verdicts().update(computed("memory+"), computed("memory+")).faults()).isNotEmpty();
    }

    /** Trap 26. */
    @Test
    void anUnknownPatchPolicyIsRefusedOnCreate() {
        ObjectNode set = set("one", "{'containers':[" + LOG + "],'patchPodMetadata':[{'annotations':{'a':'b'},'patchPolicy':'Odd'}]}");
        String whitelist = "{\"rules\":[{\"allowedAnnotationKeyExprs\":[\"a\"]}]}";

        assertThat(texts(new Verdicts().whitelist(whitelist).create(set))).contains("\"Odd\" is unknown: use one of Retain");
        assertThat(reference().whitelist(whitelist).create(set).faults()).isEmpty();
        assertThat(new Verdicts().whitelist(whitelist).update(set, set).faults()).isEmpty();
        assertThat(texts(new Verdicts().whitelist(whitelist).update(one(LOG), set))).contains("\"Odd\" is unknown");
    }

    /** Trap 30. */
    @Test
    void anInitContainerMayBeCalledTest() {
        ObjectNode set = set("one", "{'initContainers':[{'name':'test','image':'i:1'}]}");

        assertThat(new Verdicts().create(set).faults()).isEmpty();
        assertThat(fields(reference().create(set))).containsExactly("spec.initContainers[0].name");
    }

    /** api.md trap 14. */
    @ParameterizedTest
    @ValueSource(strings = {"v 1", "-v1", "a/b", "1234567890123456789012345678901234567890123456789012345678901234"})
    void aCustomVersionMustBeALabelValueUnlessItIsStoredAlready(String version) {
        ObjectNode set = set("one", "{'customVersion':'" + version + "','containers':[" + LOG + "]}");

        assertThat(fields(new Verdicts().create(set))).containsOnly("spec.customVersion").isNotEmpty();
        assertThat(texts(new Verdicts().create(set))).contains("label of the ControllerRevision");
        assertThat(reference().create(set).faults()).isEmpty();
        assertThat(fields(new Verdicts().update(one(LOG), set))).containsOnly("spec.customVersion").isNotEmpty();
        assertThat(new Verdicts().update(set, set).faults()).isEmpty();
    }

    /** api.md trap 18; traps 23, 24: the text names the field. */
    @Test
    void aPinnedRevisionMustBeOneOfTheSet() {
        ObjectNode byName = set("one", "{'injectionStrategy':{'revision':{'revisionName':'two-abc'}},'containers':[" + LOG + "]}");
        ObjectNode byVersion = set("one", "{'injectionStrategy':{'revision':{'customVersion':'v7'}},'containers':[" + LOG + "]}");

        assertThat(texts(new Verdicts().pinned(Pinned.OF_ANOTHER_SET).create(byName))).contains("revisionName names \"two-abc\"",
                "another set");
        assertThat(reference().pinned(Pinned.OF_ANOTHER_SET).create(byName).faults()).isEmpty();
        assertThat(texts(new Verdicts().pinned(Pinned.NOT_FOUND).update(byVersion, byVersion)))
                .contains("spec.injectionStrategy.revision.customVersion names \"v7\"");
        assertThat(fields(new Verdicts().pinned(Pinned.NOT_RESTORABLE).create(byName))).containsExactly("revision");
    }

    /** A set of a cluster that is taken over can still be edited, its finalizers removed. */
    @Test
    void aStoredPinOfAnotherSetMayStayButNotCome() {
        ObjectNode pinned = set("one", "{'injectionStrategy':{'revision':{'revisionName':'two-abc'}},'containers':[" + LOG + "]}");

        assertThat(new Verdicts().pinned(Pinned.OF_ANOTHER_SET).update(pinned, pinned).faults()).isEmpty();
        assertThat(fields(new Verdicts().pinned(Pinned.OF_ANOTHER_SET).update(one(LOG), pinned))).containsExactly("revision");
    }

    /** No recorded case has it: validation.md 5, annotations of at most 256 KiB, keys and values in bytes. */
    @Test
    void annotationsHaveALimitOf256KiBInAll() {
        ObjectNode set = one(LOG);
        ObjectNode annotations = set.withObjectProperty("metadata").putObject("annotations");
        annotations.put("k", "é".repeat((256 * 1024 - 2) / 2)).put("l", "");

        assertThat(new Verdicts().create(set).faults()).isEmpty();
        annotations.put("l", "x");
        assertThat(new Verdicts().create(set).faults()).extracting(f -> f.kind() + " " + f.field())
                .containsExactly("TOO_LONG metadata.annotations");
        assertThat(new Verdicts().create(set).faults().getFirst().text()).contains("262144");
    }

    /** FR-10. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {"{\"rules\":[} | line 1, column 11",
            "{\"rules\":[{\"allowedAnnotationKeyExprs\":[\"b\"]}]} | \"a\" is not on the whitelist"})
    void aWhitelistRefusalNamesTheConfigMapAndTheFault(String whitelist, String says) {
        ObjectNode set = set("one", "{'containers':[" + LOG + "],'patchPodMetadata':[{'annotations':{'a':'b'}}]}");

        Validation validation = new Verdicts().whitelist(whitelist).create(set);

        assertThat(fields(validation)).containsExactly("spec.patchPodMetadata");
        assertThat(texts(validation)).contains(says, "kruise-system/kruise-configuration", "SidecarSet_PatchPodMetadata_WhiteList");
    }

    /** FR-13. */
    @Test
    void aMountOfAForeignVolumeNamesTheMountAndTheWaysOut() {
        Validation validation = new Verdicts()
                .create(one("{'name':'log','image':'log:1','volumeMounts':[{'name':'appdata','mountPath':'/data'}]}"));

        assertThat(fields(validation)).containsExactly("spec.containers[0].volumeMounts[0].name");
        assertThat(texts(validation)).contains("\"/data\"", "\"appdata\"", "spec.volumes", "shareVolumePolicy.type");
        assertThat(texts(new Verdicts()
                .create(one("{'name':'log','image':'log:1','volumeDevices':[{'name':'raw','devicePath':'/dev/x'}]}"))))
                .contains("\"/dev/x\"", "\"raw\"", "spec.volumes", "shareVolumeDevicePolicy.type");
    }

    /** FR-43. */
    @Test
    void containersMayGoButNotCome() {
        ObjectNode two = one(LOG + ",{'name':'mesh','image':'m:1'}");

        assertThat(new Verdicts().update(two, one(LOG)).faults()).isEmpty();
        assertThat(texts(new Verdicts().update(one(LOG), two))).contains("\"mesh\" cannot be added", "create another SidecarSet");
    }
}
