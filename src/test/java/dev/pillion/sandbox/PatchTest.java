package dev.pillion.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The three kinds of patch. Expected orders of strategic merge were measured on a kube-apiserver 1.36.3. */
class PatchTest {
    private static final ResourceType POD = BuiltInTypes.all().getFirst().type();

    private static JsonNode json(String text) {
        return Trees.MAPPER.readTree(text.replace('\'', '"'));
    }

    private static String strategic(String target, String patch) {
        return StrategicMerge.apply((ObjectNode) json(target), json(patch), MergeKeys.of(POD)).toString().replace('"', '\'');
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a,b,c | b | a,b,c
            a,b,c | c,a | b,c,a
            a,b,c | a,c | a,b,c
            a,b,c | x | x,a,b,c
            a,b,c | b,x | a,b,x,c
            a     | x,y | x,y,a
            """)
    void ordersMergedListsByThePatch(String before, String patch, String after) {
        String merged = strategic("{'spec':{'containers':[" + names(before) + "]}}", "{'spec':{'containers':[" + names(patch) + "]}}");

        assertThat(merged).isEqualTo("{'spec':{'containers':[" + names(after) + "]}}");
    }

    private static String names(String list) {
        return "{'name':'" + String.join("'},{'name':'", list.split(",")) + "'}";
    }

    @Test
    void mergesAnEntryWithoutTouchingItsOtherMembers() {
        assertThat(strategic("{'spec':{'containers':[{'name':'a','image':'1','unknown':{'x':[1]}}]}}",
                "{'spec':{'containers':[{'name':'a','image':'2'}]}}"))
                .isEqualTo("{'spec':{'containers':[{'name':'a','image':'2','unknown':{'x':[1]}}]}}");
    }

    @Test
    void deletesReplacesAndOrdersByDirective() {
        String target = "{'spec':{'containers':[{'name':'a'},{'name':'b'},{'name':'c'}]}}";
        assertThat(strategic(target, "{'spec':{'containers':[{'$patch':'delete','name':'b'}]}}"))
                .isEqualTo("{'spec':{'containers':[{'name':'a'},{'name':'c'}]}}");
        assertThat(strategic(target, "{'spec':{'containers':[{'$patch':'replace'},{'name':'z'}]}}"))
                .isEqualTo("{'spec':{'containers':[{'name':'z'}]}}");
        assertThat(strategic(target, "{'spec':{'$setElementOrder/containers':[{'name':'c'},{'name':'b'},{'name':'a'}]}}"))
                .isEqualTo("{'spec':{'containers':[{'name':'c'},{'name':'b'},{'name':'a'}]}}");
        assertThat(strategic("{'metadata':{'finalizers':['a','b'],'labels':{'x':'1','y':'2'}}}",
                "{'metadata':{'$deleteFromPrimitiveList/finalizers':['a'],'labels':{'$patch':'replace','z':'3'}}}"))
                .isEqualTo("{'metadata':{'finalizers':['b'],'labels':{'z':'3'}}}");
        assertThat(strategic("{'spec':{'volumes':[{'name':'v','emptyDir':{}}]}}",
                "{'spec':{'volumes':[{'$retainKeys':['name','configMap'],'name':'v','configMap':{'name':'c'}}]}}"))
                .isEqualTo("{'spec':{'volumes':[{'name':'v','configMap':{'name':'c'}}]}}");
    }

    @Test
    void replacesListsWithoutMergeKey() {
        assertThat(strategic("{'spec':{'tolerations':[{'key':'a'}]}}", "{'spec':{'tolerations':[{'key':'b'}]}}"))
                .isEqualTo("{'spec':{'tolerations':[{'key':'b'}]}}");
    }

    @Test
    void refusesAnEntryWithoutItsMergeKey() {
        assertThatThrownBy(() -> strategic("{'spec':{'containers':[{'name':'a'}]}}", "{'spec':{'containers':[{'image':'x'}]}}"))
                .isInstanceOf(ApiError.class).hasMessageContaining("does not contain declared merge key: name");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'a':'b'}         | {'a':'c'}             | {'a':'c'}
            {'a':'b'}         | {'b':'c'}             | {'a':'b','b':'c'}
            {'a':'b'}         | {'a':null}            | {}
            {'a':['b']}       | {'a':'c'}             | {'a':'c'}
            {'a':{'b':'c'}}   | {'a':{'b':'d','c':null}} | {'a':{'b':'d'}}
            {'a':[{'b':'c'}]} | {'a':[1]}             | {'a':[1]}
            {'e':null}        | {'a':1}               | {'e':null,'a':1}
            {}                | {'a':{'bb':{'ccc':null}}} | {'a':{'bb':{}}}
            """)
    void mergesAsRfc7386Says(String target, String patch, String result) {
        assertThat(MergePatch.apply(json(target), json(patch))).isEqualTo(json(result));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'a':1}         | [{'op':'add','path':'/b','value':2}]                                  | {'a':1,'b':2}
            {'a':[1,3]}     | [{'op':'add','path':'/a/1','value':2}]                                | {'a':[1,2,3]}
            {'a':[1]}       | [{'op':'add','path':'/a/-','value':2}]                                | {'a':[1,2]}
            {'a':1,'b':2}   | [{'op':'remove','path':'/a'}]                                         | {'b':2}
            {'x/y':1,'~':2} | [{'op':'replace','path':'/x~1y','value':3},{'op':'test','path':'/~0','value':2}] | {'x/y':3,'~':2}
            {'a':{'b':1}}   | [{'op':'move','from':'/a/b','path':'/c'},{'op':'copy','from':'/c','path':'/d'}] | {'a':{},'c':1,'d':1}
            """)
    void appliesOperationsAsRfc6902Says(String target, String patch, String result) {
        assertThat(JsonPatch.apply(json(target), json(patch))).isEqualTo(json(result));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [{'op':'test','path':'/a','value':2}]
            [{'op':'remove','path':'/z'}]
            [{'op':'add','path':'/z/y','value':1}]
            [{'op':'replace','path':'/z','value':1}]
            [{'op':'add','path':'/l/5','value':1}]
            [{'op':'jump','path':'/a'}]
            """)
    void anOperationThatDoesNotFitIs422(String patch) {
        assertThatThrownBy(() -> JsonPatch.apply(json("{'a':1,'l':[]}"), json(patch))).isInstanceOfSatisfying(ApiError.class,
                error -> assertThat(error.code()).isEqualTo(422));
    }
}
