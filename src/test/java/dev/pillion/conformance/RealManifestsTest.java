package dev.pillion.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.pillion.api.Conversion;
import dev.pillion.api.Json;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.cli.Manifests;
import dev.pillion.match.SetIndex;
import dev.pillion.revision.Defaulting;
import dev.pillion.revision.SetDefaults;
import dev.pillion.revision.SetDefaults.Unknown;
import dev.pillion.validate.Fault;
import dev.pillion.validate.SetValidator;
import dev.pillion.validate.ValidateOptions;
import dev.pillion.validate.ValidationRequest;
import dev.pillion.validate.ValidationRequest.Operation;
import dev.pillion.validate.ValidationRequest.Pinned;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * SidecarSets as people publish them: the same verdict, hashes and error paths as the original. They are other projects' files, so they
 * are read from where -Dpillion.real points (a folder with sidecarsets/ and sidecarsets-expected.json) and are no part of this project.
 */
final class RealManifestsTest {
    private static final Path USUAL = Path.of("..", "shared", "real");

    @SuppressWarnings("ImmutableEnumChecker") // options are records of enums
    enum Mode {
        REFERENCE(ValidateOptions.REFERENCE, Unknown.DROP), PILLION(ValidateOptions.PILLION, Unknown.KEEP);

        private final ValidateOptions options;
        private final Unknown unknown;

        Mode(ValidateOptions options, Unknown unknown) {
            this.options = options;
            this.unknown = unknown;
        }
    }

    @ParameterizedTest
    @EnumSource
    void realManifestsGetTheRecordedAnswers(Mode mode) throws IOException {
        Optional<Path> folder = folder();
        assumeTrue(folder.isPresent());
        JsonNode expected = Json.read(Files.readAllBytes(folder.get().resolve("sidecarsets-expected.json")));

        List<String> problems = new ArrayList<>();
        for (JsonNode recorded : expected) {
            String file = Json.text(recorded, "file");
            for (ObjectNode object : Manifests.read(folder.get().resolve("sidecarsets").resolve(file))) {
                problem(recorded, object, mode).ifPresent(p -> problems.add(file + ": " + p));
            }
        }

        System.out.println("real manifests (" + mode + "): compared=" + expected.size() + " different=" + problems.size());
        assertThat(expected).isNotEmpty();
        assertThat(problems).isEmpty();
    }

    /** Where the files are. A folder that was named must exist; the usual place need not. */
    private static Optional<Path> folder() {
        String named = System.getProperty("pillion.real");
        Path folder = named == null ? USUAL : Path.of(named);
        if (named == null && !Files.isDirectory(folder)) {
            System.out.println("RealManifestsTest skipped: there is no folder " + folder + "; name one with -Dpillion.real=<folder>");
            return Optional.empty();
        }
        return Optional.of(folder);
    }

    private static Optional<String> problem(JsonNode recorded, ObjectNode submitted, Mode mode) {
        ObjectNode object = defaulted(submitted, mode.unknown);
        List<String> fields = fields(object, mode.options);
        if (recorded.path("accepted").booleanValue()) {
            JsonNode annotations = object.path("metadata").path("annotations");
            boolean sameHashes = Json.text(annotations, Wire.HASH).equals(Json.text(recorded, "hash"))
                    && Json.text(annotations, Wire.HASH_WITHOUT_IMAGE).equals(Json.text(recorded, "hashWithoutImage"));
            return fields.isEmpty() && sameHashes
                    ? Optional.empty()
                    : Optional.of("accepted by the original; faults " + fields + ", same hashes: " + sameHashes);
        }
        // The recording names the paths as far as the server printed them.
        List<String> paths = new ArrayList<>();
        recorded.path("errorPaths").forEach(p -> paths.add(p.stringValue()));
        return fields.isEmpty() || !fields.containsAll(paths)
                ? Optional.of("refused by the original for " + paths + "; faults " + fields)
                : Optional.empty();
    }

    private static ObjectNode defaulted(ObjectNode object, Unknown unknown) {
        String version = Json.text(object, "apiVersion").equals(Wire.V1ALPHA1) ? "v1alpha1" : "v1beta1";
        return switch (SetDefaults.apply(object, version, "CREATE", unknown)) {
            case Defaulting.Patch(_, ObjectNode result) -> result;
            case Defaulting.Unchanged _ -> object;
            case Defaulting.Refuse(_, String message) -> throw new AssertionError(message);
        };
    }

    private static List<String> fields(ObjectNode object, ValidateOptions options) {
        ObjectNode hub = Json.text(object, "apiVersion").equals(Wire.V1BETA1)
                ? object
                : ((Conversion.Outcome.Converted) Conversion.convert(object, Wire.V1BETA1, Conversion.Mode.LOSSLESS)).object();
        // Recorded on a cluster without other sets, revisions and whitelist.
        Pinned pinned = SidecarSet.of(hub).injectionStrategy().pin().isEmpty() ? Pinned.FOUND : Pinned.NOT_FOUND;
        ValidationRequest request = new ValidationRequest(Operation.CREATE, hub, Optional.empty(), pinned, Optional.empty(),
                "kruise-system");
        return SetValidator.validate(request, SetIndex.EMPTY, options).faults().stream().map(Fault::field).toList();
    }
}
