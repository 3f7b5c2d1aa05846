package dev.pillion.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ValidateCommandTest {
    private static final String SET = """
            apiVersion: apps.kruise.io/v1beta1
            kind: SidecarSet
            metadata: {name: %s}
            spec:
              selector: {matchLabels: {app: web}}
              containers: [{name: %s, image: "log:1"}]
            """;

    private static CommandRun validate(String... sets) {
        return CommandRun.withInput(String.join("---\n", sets), "validate", "-f", "-");
    }

    @Test
    void tellsEachSetsVerdictWithFieldAndWayOut() {
        CommandRun good = validate(SET.formatted("a", "x"), SET.formatted("b", "z"));
        CommandRun bad = validate(SET.formatted("a", "x"),
                SET.formatted("b", "z").replace("{app: web}", "{}") + "  updateStrategy: {maxUnavailable: -1}\n");

        assertThat(good.code()).isZero();
        assertThat(good.out()).contains("document 1: SidecarSet a: accepted", "document 2: SidecarSet b: accepted");
        assertThat(bad.code()).isEqualTo(1);
        assertThat(bad.out()).contains("SidecarSet a: accepted", "SidecarSet b: refused", "spec.selector: ",
                "spec.updateStrategy.maxUnavailable: ");
    }

    @Test
    void conflictsBetweenTheFilesAreFound() {
        CommandRun run = validate(SET.formatted("a", "x"), SET.formatted("b", "x"));

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("container \"x\" is also in SidecarSet \"b\"", "container \"x\" is also in SidecarSet \"a\"");
    }

    @Test
    void theWhitelistAndPinnedRevisionsCount() {
        String patches = SET.formatted("a", "x") + "  patchPodMetadata: [{annotations: {k: v}}]\n";
        String whitelist = """
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: kruise-configuration, namespace: kruise-system}
                data:
                  SidecarSet_PatchPodMetadata_WhiteList: '{"rules":[{"allowedAnnotationKeyExprs":["k"]}]}'
                """;
        String pinned = SET.formatted("a", "x") + "  injectionStrategy: {revision: {revisionName: r}}\n";
        String foreign = """
                apiVersion: apps/v1
                kind: ControllerRevision
                metadata: {name: r, labels: {kruise.io/sidecarset-name: b}}
                revision: 1
                data: {spec: {}}
                """;

        assertThat(validate(patches).code()).isEqualTo(1);
        assertThat(validate(patches, whitelist).code()).isZero();
        assertThat(validate(pinned).out()).contains("accepted", "warning: spec.injectionStrategy.revision is not checked");
        assertThat(validate(pinned, foreign).out()).contains("refused", "belongs to another set");
        assertThat(validate(pinned, foreign.replace("name: b", "name: a")).out()).contains("accepted").doesNotContain("not checked");
    }

    @Test
    void warningsOfTheOldVersionAreTold() {
        CommandRun run = validate(SET.formatted("a", "x").replace("v1beta1", "v1alpha1")
                + "  namespace: shop\n  namespaceSelector: {matchLabels: {a: b}}\n");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("warning: spec.namespaceSelector has no effect beside spec.namespace");
        assertThat(validate("apiVersion: v1\nkind: Pod\n").code()).isEqualTo(64);
    }
}
