package dev.pillion.validate;

import static dev.pillion.validate.Verdicts.canary;
import static dev.pillion.validate.Verdicts.fields;
import static dev.pillion.validate.Verdicts.set;
import static dev.pillion.validate.Verdicts.texts;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

/** Conflicts between sets: what is compared, and what the refusal says (validation.md 10, FR-44). */
final class ConflictsTest {
    private static final String LOG = "'containers':[{'name':'log','image':'log:1'}]";
    private static final String HOT = "'containers':[{'name':'mesh','image':'m:1','upgradeStrategy':{'upgradeType':'HotUpgrade','hotUpgradeEmptyImage':'e:1'}}]";

    private static Verdicts strict() {
        return new Verdicts().options(ValidateOptions.PILLION.with(ValidateOptions.Overlap.STRICT));
    }

    @Test
    void theTextNamesTheOtherSetAndAPodThatBothMatch() {
        ObjectNode one = set("one", "{'selector':{'matchLabels':{'app':'web'}}," + LOG + "}");
        ObjectNode two = set("two", "{'selector':{'matchExpressions':[{'key':'app','operator':'In','values':['api','web']}]},"
                + "'namespaceSelector':{'matchLabels':{'team':'shop'}}," + LOG + "}");

        assertThat(texts(new Verdicts().beside(one).create(two))).contains("container \"log\" is also in SidecarSet \"one\"",
                "such as one with app=web in a namespace with team=shop", "rename it");
        assertThat(texts(new Verdicts().beside(one).create(set("three", "{" + LOG + "}")))).contains("with app=web in any namespace");
    }

    @Test
    void theTextClaimsNoPodWhereOnlyTheCompatibleCheckSeesOne() {
        ObjectNode united = set("one", "{'selector':{'matchExpressions':[{'key':'app','operator':'In','values':['a','b']},"
                + "{'key':'app','operator':'In','values':['b','c']}]}," + LOG + "}");
        ObjectNode two = set("two", "{'selector':{'matchExpressions':[{'key':'app','operator':'In','values':['a','c']}]}," + LOG + "}");

        assertThat(texts(new Verdicts().beside(united).create(two))).contains("their selectors are taken to overlap");
        assertThat(strict().beside(united).create(two).faults()).isEmpty();
    }

    @Test
    void setsInNamespacesThatCannotOverlapDoNotConflict() {
        ObjectNode one = set("one", "{'namespaceSelector':{'matchLabels':{'team':'a'}}," + LOG + "}");
        ObjectNode two = set("two", "{'namespaceSelector':{'matchLabels':{'team':'b'}}," + LOG + "}");

        assertThat(new Verdicts().beside(one).create(two).faults()).isEmpty();
        assertThat(strict().beside(one).create(two).faults()).isEmpty();
    }

    @Test
    void volumesAndAnnotationsConflictWhenTheyDiffer() {
        String whitelist = "{\"rules\":[{\"allowedAnnotationKeyExprs\":[\"a\"]}]}";
        ObjectNode one = set("one", "{" + LOG
                + ",'volumes':[{'name':'v','emptyDir':{}}],'patchPodMetadata':[{'annotations':{'a':'1'},'patchPolicy':'Overwrite'}]}");
        String two = "{'containers':[{'name':'mesh','image':'m:1'}],'volumes':[{'name':'v','emptyDir':{'medium':'Memory'}}],"
                + "'patchPodMetadata':[{'annotations':{'a':'2'},'patchPolicy':'MergePatchJson'}]}";

        assertThat(fields(new Verdicts().beside(one).whitelist(whitelist).create(set("two", two)))).containsExactly("spec.volumes",
                "spec.patchPodMetadata");
        assertThat(new Verdicts().beside(one).whitelist(whitelist)
                .create(set("two", two.replace("{'medium':'Memory'}", "{}").replace("MergePatchJson", "Retain"))).faults()).isEmpty();
    }

    /** Compatible: the last set by name hides the others; strict sees each. */
    @Test
    void strictComparesWithEverySetThatUsesTheName() {
        ObjectNode first = set("first", "{" + LOG + ",'volumes':[{'name':'v','emptyDir':{'medium':'Memory'}}]}");
        ObjectNode last = set("last", "{'containers':[{'name':'x','image':'x:1'}],'volumes':[{'name':'v','emptyDir':{}}]}");
        ObjectNode mine = set("mine", "{'containers':[{'name':'mesh','image':'m:1'}],'volumes':[{'name':'v','emptyDir':{}}]}");

        assertThat(new Verdicts().beside(first).beside(last).create(mine).faults()).isEmpty();
        assertThat(texts(strict().beside(first).beside(last).create(mine))).contains("volume \"v\"", "SidecarSet \"first\"");
    }

    @Test
    void strictComparesInitWithRegularContainersTwinsAndCanariesWithTheirBase() {
        ObjectNode one = set("one", "{" + LOG + "}");
        ObjectNode init = set("init", "{'initContainers':[{'name':'log','image':'i:1'}]}");
        ObjectNode hot = set("hot", "{" + HOT + "}");
        ObjectNode twin = set("twin", "{'containers':[{'name':'mesh-2','image':'m:1'}]}");
        ObjectNode canary = canary("canary", "one", "{" + LOG + "}");
        ObjectNode nativeHot = set("native", "{" + HOT.replace("'containers'", "'updateStrategy':{'type':'NotUpdate'},'initContainers'")
                .replace("'name':'mesh'", "'name':'mesh','restartPolicy':'Always'") + "}");

        assertThat(texts(strict().beside(nativeHot).create(twin))).contains("\"mesh-2\" is also in SidecarSet \"native\"");
        assertThat(texts(strict().beside(twin).create(nativeHot))).contains("\"mesh-2\" is also in SidecarSet \"twin\"");
        assertThat(fields(strict().beside(one).create(init))).containsExactly("spec.containers");
        assertThat(fields(strict().beside(init).create(one))).containsExactly("spec.containers");
        assertThat(texts(strict().beside(hot).create(twin))).contains("\"mesh-2\" is also in SidecarSet \"hot\"");
        assertThat(texts(strict().beside(twin).create(hot))).contains("\"mesh-2\" is also in SidecarSet \"twin\"");
        assertThat(fields(strict().beside(one).create(canary))).containsExactly("spec.containers");
        assertThat(fields(strict().beside(one).beside(canary).update(one, one))).containsExactly("spec.containers");
        assertThat(new Verdicts().beside(one).beside(hot).create(init).faults()).isEmpty();
        assertThat(new Verdicts().beside(hot).create(twin).faults()).isEmpty();
    }
}
