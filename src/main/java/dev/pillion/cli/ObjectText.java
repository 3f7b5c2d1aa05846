package dev.pillion.cli;

import java.util.List;
import java.util.regex.Pattern;

import dev.pillion.api.Json;

import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;
import tools.jackson.dataformat.yaml.util.StringQuotingChecker;

/** Objects as text for people and for kubectl, members in their own order. */
final class ObjectText {
    /** How objects are printed. */
    enum Format {
        YAML, JSON
    }

    /** Quotes whatever any YAML reader could take for something else than a text. */
    private static final class Quotes extends StringQuotingChecker {
        private static final long serialVersionUID = 1;
        private static final Pattern SAFE = Pattern.compile("[A-Za-z/][-A-Za-z0-9_./@]*(:[-A-Za-z0-9_./@]+)*");

        @Override
        public boolean needToQuoteName(String name) {
            return needToQuoteValue(name);
        }

        @Override
        public boolean needToQuoteValue(String value) {
            return !SAFE.matcher(value).matches() || YamlScalar.needsQuotes(value);
        }
    }

    private static final YAMLMapper YAML = YAMLMapper
            .builder(YAMLFactory.builder().stringQuotingChecker(new Quotes()).disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
                    .disable(YAMLWriteFeature.SPLIT_LINES).enable(YAMLWriteFeature.MINIMIZE_QUOTES)
                    .enable(YAMLWriteFeature.LITERAL_BLOCK_STYLE).build())
            .build();

    private ObjectText() {
    }

    /** One object as it is; several as YAML documents or as a JSON List. Ends with a line break. */
    static String of(List<ObjectNode> objects, Format format) {
        return switch (format) {
            case YAML -> String.join("---\n", objects.stream().map(YAML::writeValueAsString).toList());
            case JSON -> pretty(objects.size() == 1 ? objects.getFirst() : list(objects)) + "\n";
        };
    }

    private static ObjectNode list(List<ObjectNode> objects) {
        ObjectNode list = Json.object().put("apiVersion", "v1").put("kind", "List");
        list.putArray("items").addAll(objects);
        return list;
    }

    private static String pretty(JsonNode node) {
        Separators separators = Separators.createDefaultInstance().withObjectNameValueSpacing(Separators.Spacing.AFTER)
                .withArrayEmptySeparator("").withObjectEmptySeparator("");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(separators).withArrayIndenter(new DefaultIndenter("  ", "\n"))
                .withObjectIndenter(new DefaultIndenter("  ", "\n"));
        return Json.MAPPER.writer().with(printer).writeValueAsString(node);
    }
}
