package dev.pillion.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

/** Pruning, defaults and checks by a structural schema; the wording is tested against a real server in CustomTypesIT. */
final class SchemaTest {

    @Test
    void keepsWhatIsInsidePreservedObjectsButPrunesWhatTheyDeclare() {
        Schema schema = schema("""
                {"properties":{"spec":{"x-kubernetes-preserve-unknown-fields":true,
                  "properties":{"known":{"type":"object","properties":{"a":{"type":"string"}}}}}}}""");
        ObjectNode object = object("{\"spec\":{\"free\":{\"x\":1},\"known\":{\"a\":\"1\",\"b\":2}},\"other\":1}");

        List<String> dropped = SchemaPruning.prune(object, schema);

        assertThat(object).isEqualTo(object("{\"spec\":{\"free\":{\"x\":1},\"known\":{\"a\":\"1\"}}}"));
        assertThat(dropped).containsExactly("spec.known.b", "other");
    }

    @Test
    void embeddedObjectsKeepTheirIdentity() {
        Schema schema = schema(
                "{\"properties\":{\"template\":{\"type\":\"object\",\"x-kubernetes-embedded-resource\":true,\"properties\":{}}}}");
        ObjectNode object = object("{\"template\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"any\":1},\"spec\":{}}}");

        SchemaPruning.prune(object, schema);

        assertThat(object).isEqualTo(object("{\"template\":{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"any\":1}}}"));
    }

    @Test
    void defaultsReachIntoWhatIsThereAndNoFurther() {
        Schema schema = schema(
                """
                        {"properties":{"list":{"items":{"properties":{"a":{"default":1}}}},"map":{"additionalProperties":{"properties":{"a":{"default":2}}}},
                         "absent":{"properties":{"a":{"default":3}}},"whole":{"default":{},"properties":{"a":{"default":4}}}}}""");
        ObjectNode object = object("{\"list\":[{},{\"a\":9}],\"map\":{\"k\":{}}}");

        SchemaDefaults.apply(object, schema);

        assertThat(object).isEqualTo(object("{\"list\":[{\"a\":1},{\"a\":9}],\"map\":{\"k\":{\"a\":2}},\"whole\":{\"a\":4}}"));
    }

    @Test
    void combinedSchemasAreChecked() {
        Schema schema = schema("""
                {"properties":{"any":{"anyOf":[{"minimum":10},{"maximum":1}]},"one":{"oneOf":[{"required":["a"]},{"required":["b"]}]},
                 "not":{"not":{"enum":["x"]}},"all":{"allOf":[{"minLength":2},{"pattern":"^a"}]}}}""");

        assertThat(SchemaCheck.check(object("{\"any\":0,\"one\":{\"a\":1},\"not\":\"y\",\"all\":\"ab\"}"), schema)).isEmpty();
        assertThat(SchemaCheck.check(object("{\"any\":5}"), schema)).extracting(Cause::field).containsExactly("any");
        assertThat(SchemaCheck.check(object("{\"one\":{\"a\":1,\"b\":1}}"), schema)).extracting(Cause::field).containsExactly("one");
        assertThat(SchemaCheck.check(object("{\"not\":\"x\"}"), schema)).extracting(Cause::field).containsExactly("not");
        assertThat(SchemaCheck.check(object("{\"all\":\"b\"}"), schema)).hasSize(2);
    }

    @Test
    void wholeNumbersMayBeWrittenWithAPoint() {
        Schema schema = schema("{\"properties\":{\"n\":{\"type\":\"integer\",\"exclusiveMinimum\":true,\"minimum\":1}}}");

        assertThat(SchemaCheck.check(object("{\"n\":2.0}"), schema)).isEmpty();
        assertThat(SchemaCheck.check(object("{\"n\":2.5}"), schema)).extracting(Cause::reason).containsExactly("FieldValueTypeInvalid");
        assertThat(SchemaCheck.check(object("{\"n\":1}"), schema)).extracting(Cause::message)
                .containsExactly("Invalid value: 1: n in body should be greater than 1");
    }

    private static Schema schema(String json) {
        return new Schema(Trees.MAPPER.readTree(json));
    }

    private static ObjectNode object(String json) {
        return (ObjectNode) Trees.MAPPER.readTree(json);
    }
}
