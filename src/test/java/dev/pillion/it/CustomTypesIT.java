package dev.pillion.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.fabric8.kubernetes.client.KubernetesClient;

/** Custom types: pruning, defaults, validation, status, and the definitions themselves. */
@OnEveryCluster
final class CustomTypesIT {
    private static final String GROUP = "types.pillion.test";
    private static final String WIDGETS = "/apis/" + GROUP + "/v1/widgets";
    private final KubernetesClient client;
    private final RawHttp http;

    CustomTypesIT(Cluster cluster) {
        this.client = cluster.client();
        this.http = new RawHttp(client);
    }

    @BeforeEach
    void serve() {
        Definitions.serve(http, GROUP, "");
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void prunesAndFillsInDefaults() {
        RawHttp.Answer answer = create("pruned",
                """
                        {"size":1,"unknown":1,"maybe":null,"code":null,"free":{"any":{"thing":[1,null]}},"parts":[{"name":"a","odd":true}],"flags":{"x":true}}""");

        assertThat(answer.code()).as(answer.message()).isEqualTo(201);
        assertThat(answer.body().path("spec")).isEqualTo(RawHttp
                .tree("""
                        {"size":1,"maybe":null,"colour":"red","free":{"any":{"thing":[1,null]}},"parts":[{"name":"a","weight":1}],"flags":{"x":true}}"""));
        assertThat(answer.body().at("/metadata/generation").intValue()).isEqualTo(1);
    }

    @Test
    void strictValidationNamesUnknownFields() {
        RawHttp.Answer answer = http.post(WIDGETS + "?fieldValidation=Strict",
                widget("strict", "{\"size\":1,\"unknown\":1,\"parts\":[{\"name\":\"a\",\"odd\":true}]}"));

        assertThat(answer.code()).isEqualTo(400);
        assertThat(answer.message()).contains("strict decoding error: unknown field \"spec.parts[0].odd\", unknown field \"spec.unknown\"");
        RawHttp.Answer warned = http.post(WIDGETS + "?fieldValidation=Warn", widget("warned", "{\"size\":1,\"unknown\":1}"));
        assertThat(warned.warnings()).containsExactly("299 - \"unknown field \\\"spec.unknown\\\"\"");
    }

    @Test
    void refusesWithEveryFault() {
        RawHttp.Answer answer = create("faulty", """
                {"size":10,"colour":"blue","code":"A","limit":true,"tags":["a","a"],"when":"soon","flags":{"x":"y"},
                 "parts":[{"name":"a"},{"name":"a"},{"weight":1},{"name":"b","weight":"heavy"}]}""");

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.reason()).isEqualTo("Invalid");
        assertThat(answer.causes()).containsExactlyInAnyOrder(
                "FieldValueInvalid spec.size: Invalid value: 10: spec.size in body should be less than or equal to 9",
                "FieldValueNotSupported spec.colour: Unsupported value: \"blue\": supported values: \"red\", \"green\"",
                "FieldValueInvalid spec.code: Invalid value: \"A\": spec.code in body should be at least 2 chars long",
                "FieldValueTypeInvalid spec.limit: Invalid value: \"boolean\": spec.limit in body must be of type integer,string: \"boolean\"",
                "FieldValueTooMany spec.parts: Too many: 4: must have at most 3 items",
                "FieldValueRequired spec.parts[2].name: Required value",
                "FieldValueTypeInvalid spec.parts[3].weight: Invalid value: \"string\": spec.parts[3].weight in body must be of type integer: \"string\"",
                "FieldValueTypeInvalid spec.flags.x: Invalid value: \"string\": spec.flags.x in body must be of type boolean: \"string\"",
                "FieldValueTypeInvalid spec.when: Invalid value: \"soon\": spec.when in body must be of type date-time: \"soon\"",
                "FieldValueDuplicate spec.tags[1]: Duplicate value: \"a\"",
                "FieldValueDuplicate spec.parts[1]: Duplicate value: {\"name\":\"a\"}");
    }

    @Test
    void requiredAndTypesAtTheTop() {
        RawHttp.Answer lacking = create("lacking", "{}");
        assertThat(lacking.message()).isEqualTo("Widget." + GROUP + " \"lacking\" is invalid: spec.size: Required value");
        RawHttp.Answer text = create("text", "\"none\"");
        assertThat(text.message()).isEqualTo(
                "Widget." + GROUP
                        + " \"text\" is invalid: spec: Invalid value: \"string\": spec in body must be of type object: \"string\"");
        RawHttp.Answer upper = create("upper", "{\"size\":1,\"code\":\"ABC\"}");
        assertThat(upper.causes())
                .containsExactly("FieldValueInvalid spec.code: Invalid value: \"ABC\": spec.code in body should match '^[a-z]+$'");
        RawHttp.Answer low = create("low", "{\"size\":0,\"code\":\"toolong\"}");
        assertThat(low.causes()).containsExactlyInAnyOrder(
                "FieldValueInvalid spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1",
                "FieldValueTooLong spec.code: Too long: may not be more than 5 bytes");
    }

    @Test
    void statusAndSpecAreSeparateAndGenerationCountsTheSpec() {
        create("split", "{\"size\":1}");

        RawHttp.Answer status = http.merge(WIDGETS + "/split/status", "{\"spec\":{\"size\":2},\"status\":{\"ready\":3,\"odd\":1}}");

        assertThat(status.body().at("/spec/size").intValue()).isEqualTo(1);
        assertThat(status.body().path("status").toString()).isEqualTo("{\"ready\":3}");
        assertThat(status.body().at("/metadata/generation").intValue()).isEqualTo(1);
        RawHttp.Answer spec = http.merge(WIDGETS + "/split", "{\"spec\":{\"size\":2},\"status\":{\"ready\":9}}");
        assertThat(spec.body().at("/status/ready").intValue()).isEqualTo(3);
        assertThat(spec.body().at("/metadata/generation").intValue()).isEqualTo(2);
        RawHttp.Answer label = http.merge(WIDGETS + "/split", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        assertThat(label.body().at("/metadata/generation").intValue()).isEqualTo(2);
    }

    @Test
    void updateNeedsTheResourceVersion() {
        create("unconditional", "{\"size\":1}");

        RawHttp.Answer answer = http.put(WIDGETS + "/unconditional", widget("unconditional", "{\"size\":2}"));

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.causes())
                .containsExactly("FieldValueInvalid metadata.resourceVersion: Invalid value: 0: must be specified for an update");
    }

    @Test
    void strategicMergePatchIsNotForCustomTypes() {
        create("strategic", "{\"size\":1}");

        RawHttp.Answer answer = http.send("PATCH", WIDGETS + "/strategic", "application/strategic-merge-patch+json",
                "{\"spec\":{\"size\":2}}");

        assertThat(answer.code()).isEqualTo(415);
    }

    @Test
    void bothVersionsShowTheSameObject() {
        create("both", "{\"size\":4}");

        assertThat(http.get("/apis/" + GROUP + "/v1alpha1/widgets/both").body().path("apiVersion").stringValue(""))
                .isEqualTo(GROUP + "/v1alpha1");
        assertThat(http.get(WIDGETS + "/both").body().path("apiVersion").stringValue("")).isEqualTo(GROUP + "/v1");
        RawHttp.Answer list = http.get("/apis/" + GROUP + "/v1alpha1/widgets");
        assertThat(list.body().path("kind").stringValue("")).isEqualTo("WidgetList");
        assertThat(list.body().at("/items/0/apiVersion").stringValue("")).isEqualTo(GROUP + "/v1alpha1");
    }

    @Test
    void theDefinitionGetsDefaultsAndStatus() {
        RawHttp.Answer answer = http.get(Definitions.PATH + "/widgets." + GROUP);

        assertThat(answer.body().at("/spec/names")).isEqualTo(RawHttp.tree("""
                {"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList","shortNames":["wd"]}"""));
        assertThat(answer.body().at("/spec/conversion").toString()).isEqualTo("{\"strategy\":\"None\"}");
        assertThat(answer.body().at("/status/acceptedNames")).isEqualTo(answer.body().at("/spec/names"));
        assertThat(answer.body().at("/status/storedVersions").toString()).isEqualTo("[\"v1\"]");
    }

    @Test
    void faultyDefinitionsAreRefused() {
        RawHttp.Answer answer = http.post(Definitions.PATH, """
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"gadgets.wrong.test"},
                 "spec":{"group":"bad.test","scope":"Cluster","names":{"plural":"gadgets","kind":"Gadget"},
                  "versions":[{"name":"v1","served":true,"storage":true}]}}""");

        assertThat(answer.code()).isEqualTo(422);
        assertThat(answer.causes()).containsExactlyInAnyOrder(
                "FieldValueInvalid metadata.name: Invalid value: \"gadgets.wrong.test\": must be spec.names.plural+\".\"+spec.group",
                "FieldValueRequired spec.versions[0].schema.openAPIV3Schema: Required value");
    }

    @Test
    void objectsGoWithTheirDefinition() {
        Definitions.serve(http, "gone.pillion.test", "");
        http.post("/apis/gone.pillion.test/v1/widgets", Definitions.widget("gone.pillion.test", "v1", "a", "{\"size\":1}"));

        http.delete(Definitions.PATH + "/widgets.gone.pillion.test");

        Eventually.until("the type is gone", () -> http.get("/apis/gone.pillion.test/v1/widgets").code() == 404);
        Eventually.until("the definition is gone", () -> http.get(Definitions.PATH + "/widgets.gone.pillion.test").code() == 404);
        Definitions.serve(http, "gone.pillion.test", "");
        assertThat(http.get("/apis/gone.pillion.test/v1/widgets").body().path("items")).isEmpty();
    }

    private RawHttp.Answer create(String name, String spec) {
        return http.post(WIDGETS, widget(name, spec));
    }

    private static String widget(String name, String spec) {
        return Definitions.widget(GROUP, "v1", name, spec);
    }
}
