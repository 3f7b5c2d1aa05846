package dev.pillion.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The shipped CRD against the member tables, the Java model and the rules of api.md 1-2 and validation.md 2. */
final class CrdSchemaTest {
    private static final JsonNode CRD = load();
    /** Members that a set adds to a container; all others belong to core/v1 and are not checked by the schema. */
    private static final Set<String> OWN_MEMBERS = new TreeSet<>(List.of("podInjectPolicy", "upgradeStrategy", "shareVolumePolicy",
            "shareVolumeDevicePolicy", "transferEnv", "resourcesPolicy", "name"));

    @ParameterizedTest
    @ValueSource(strings = {"v1beta1", "v1alpha1"})
    void everyMemberOfTheTablesIsInTheSchemaWithItsType(String version) {
        MemberTable table = version.equals("v1beta1") ? MemberTable.V1BETA1 : MemberTable.V1ALPHA1;
        List<String> problems = new ArrayList<>();
        compare(schema(version).path("properties").path("spec"), table.type("SidecarSetSpec"), table, "spec", problems);
        compare(schema(version).path("properties").path("status"), table.type("SidecarSetStatus"), table, "status", problems);
        assertThat(problems).isEmpty();
    }

    @Test
    void bothVersionsAreServedAndV1beta1IsStored() {
        assertThat(CRD.path("spec").path("versions").valueStream()
                .map(v -> v.path("name").stringValue() + " " + v.path("served") + " " + v.path("storage")).toList())
                .containsExactly("v1alpha1 true false", "v1beta1 true true");
        assertThat(CRD.path("spec").path("scope").stringValue()).isEqualTo("Cluster");
        assertThat(CRD.path("metadata").path("name").stringValue()).isEqualTo(Wire.PLURAL + "." + Wire.GROUP);
        assertThat(CRD.path("spec").path("names").path("kind").stringValue()).isEqualTo(Wire.KIND);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1beta1", "v1alpha1"})
    void columnsAndSubresourcesAreTheReferences(String version) {
        JsonNode served = version(version);
        assertThat(served.path("additionalPrinterColumns").valueStream().map(c -> c.path("name").stringValue() + " "
                + c.path("type").stringValue() + " " + c.path("jsonPath").stringValue()).toList())
                .containsExactly("MATCHED integer .status.matchedPods", "UPDATED integer .status.updatedPods",
                        "READY integer .status.readyPods", "AGE date .metadata.creationTimestamp");
        assertThat(served.path("subresources").toString()).isEqualTo("{\"status\":{}}");
    }

    @Test
    void conversionCallsTheWebhookWithoutCaBundle() {
        assertThat(CRD.path("spec").path("conversion").toString())
                .isEqualTo("{\"strategy\":\"Webhook\",\"webhook\":{\"conversionReviewVersions\":[\"v1\",\"v1beta1\"],\"clientConfig\":"
                        + "{\"service\":{\"namespace\":\"kruise-system\",\"name\":\"pillion-webhook-service\",\"path\":\"/convert\"}}}}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1beta1", "v1alpha1"})
    void defaultsAndEnumsAreTheReferences(String version) {
        List<String> rules = new ArrayList<>();
        rules(schema(version), "", List.of("enum", "default"), rules);
        assertThat(rules).containsExactlyInAnyOrder(
                "/spec/initContainers/*/resourcesPolicy/targetContainersMode enum [\"sum\",\"max\"]",
                "/spec/containers/*/resourcesPolicy/targetContainersMode enum [\"sum\",\"max\"]",
                "/spec/initContainers/*/resourcesPolicy/targetContainersNameRegex default \".*\"",
                "/spec/containers/*/resourcesPolicy/targetContainersNameRegex default \".*\"",
                "/spec/injectionStrategy/revision/policy enum [\"Always\",\"Partial\"]",
                "/spec/injectionStrategy/revision/policy default \"Always\"", "/spec/imagePullSecrets/*/name default \"\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1beta1", "v1alpha1"})
    void requiredMembersAreTheReferencesAndTheKeyOfContainerLists(String version) {
        List<String> rules = new ArrayList<>();
        rules(schema(version), "", List.of("required"), rules);
        // The part of the path that names the type is enough: one type stands in several places.
        assertThat(rules.stream().map(r -> r.replaceFirst(".*?/([^/]+(/\\*)?) required", "$1"))).containsOnly(
                "matchExpressions/* [\"key\",\"operator\"]", "fieldRef [\"fieldPath\"]",
                "resourcesPolicy [\"resourcesExpr\",\"targetContainersMode\"]", "containers/* [\"name\"]", "initContainers/* [\"name\"]",
                "orderPriority/* [\"orderedKey\"]", "weightPriority/* [\"matchSelector\",\"weight\"]",
                "scatterStrategy/* [\"key\",\"value\"]",
                "status [\"matchedPods\",\"readyPods\",\"updatedPods\"]");
    }

    @Test
    void theModelWritesTheStatusTheSchemaKnows() {
        SetStatus status = new SetStatus(1, 2, 3, 4, 5, "r", OptionalInt.of(6));
        assertThat(new TreeSet<>(status.toJson().propertyNames()))
                .isEqualTo(new TreeSet<>(schema("v1beta1").path("properties").path("status").path("properties").propertyNames()));
    }

    private static void compare(JsonNode schema, GoType type, MemberTable table, String path, List<String> problems) {
        switch (type) {
            case GoType.Pointer(GoType target) -> compare(schema, target, table, path, problems);
            case GoType.ListOf(GoType.Struct(String name)) when name.equals("Volume") -> expect(schema.path(
                    "x-kubernetes-preserve-unknown-fields").asBoolean(false) && !schema.has("type"), path + " must be schemaless",
                    problems);
            case GoType.ListOf(GoType item) -> {
                expect(typeOf(schema).equals("array"), path + " must be an array", problems);
                compare(schema.path("items"), item, table, path + "[]", problems);
            }
            case GoType.MapOf(GoType value) -> compare(schema.path("additionalProperties"), value, table, path + "{}", problems);
            case GoType.Struct(String name) -> compareStruct(schema, name, table, path, problems);
            case GoType.Leaf leaf -> expect(fits(schema, leaf), path + " must be " + leaf + ", is " + schema, problems);
            case GoType.Raw _ -> problems.add(path + " has no schema");
        }
    }

    private static void compareStruct(JsonNode schema, String name, MemberTable table, String path, List<String> problems) {
        boolean container = name.equals("SidecarContainer");
        expect(typeOf(schema).equals("object"), path + " must be an object", problems);
        expect(schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false) == container, path + " preserves unknown members: "
                + !container, problems);
        Set<String> members = new TreeSet<>();
        for (MemberTable.Member member : table.members(name)) {
            if (!container || OWN_MEMBERS.contains(member.name())) {
                members.add(member.name());
                compare(schema.path("properties").path(member.name()), member.type(), table, path + "." + member.name(), problems);
            }
        }
        Set<String> declared = new TreeSet<>(schema.path("properties").propertyNames());
        expect(members.equals(declared), path + " declares " + declared + ", not " + members, problems);
    }

    private static boolean fits(JsonNode schema, GoType.Leaf leaf) {
        return switch (leaf) {
            case TEXT -> typeOf(schema).equals("string");
            case BOOL -> typeOf(schema).equals("boolean");
            case INT32, INT64 -> typeOf(schema).equals("integer")
                    && schema.path("format").asString("").equals(leaf == GoType.Leaf.INT32 ? "int32" : "int64");
            case INT_OR_STRING -> schema.path("x-kubernetes-int-or-string").asBoolean(false) && !schema.has("type");
            case QUANTITY, TIME -> false;
        };
    }

    private static void rules(JsonNode schema, String path, List<String> words, List<String> rules) {
        for (String word : words) {
            if (schema.has(word)) {
                rules.add(path + " " + word + " " + schema.path(word));
            }
        }
        schema.path("properties").properties().forEach(p -> rules(p.getValue(), path + "/" + p.getKey(), words, rules));
        if (schema.has("items")) {
            rules(schema.path("items"), path + "/*", words, rules);
        }
    }

    private static String typeOf(JsonNode schema) {
        return schema.path("type").asString("");
    }

    private static void expect(boolean holds, String problem, List<String> problems) {
        if (!holds) {
            problems.add(problem);
        }
    }

    private static JsonNode schema(String version) {
        return version(version).path("schema").path("openAPIV3Schema");
    }

    private static JsonNode version(String name) {
        return CRD.path("spec").path("versions").valueStream().filter(v -> v.path("name").stringValue().equals(name)).findFirst()
                .orElseThrow();
    }

    private static JsonNode load() {
        try (InputStream in = Objects.requireNonNull(CrdSchemaTest.class.getResourceAsStream("/k8s/crd/apps.kruise.io_sidecarsets.yaml"))) {
            return new YAMLMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
