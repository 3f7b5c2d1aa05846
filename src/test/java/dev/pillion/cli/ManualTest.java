package dev.pillion.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.pillion.explain.Absence;
import dev.pillion.inject.Reason;
import dev.pillion.rollout.WaitReason;

/** The manual's examples without a cluster print what the page says, and its tables know every word. */
final class ManualTest {
    private static final Path DOCS = Path.of("src", "docs");
    private static final Path PAGE = DOCS.resolve("cli.md");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"cli.md", "injection.md"})
    void theExamplesPrintWhatThePageSays(String page) throws IOException {
        Manual manual = Manual.read(DOCS.resolve(page));
        manual.writeFiles(folder);
        List<String> outputs = new ArrayList<>();
        int code = 0;
        assertThat(manual.steps(Manual.Place.FILES)).hasSizeGreaterThan(1);
        for (Manual.Step step : manual.steps(Manual.Place.FILES)) {
            String output;
            if (step.command().equals("echo $?")) {
                output = code + "\n";
            } else {
                CommandRun run = CommandRun.of(manual.arguments(step.command(), folder));
                code = run.code();
                output = Manual.inFolder(run.both(), folder);
            }
            outputs.add(output);
            assertThat(Manual.refreshes() || output.equals(step.output())).as("%s prints%n%s", step.command(), output).isTrue();
        }
        if (Manual.refreshes()) {
            manual.refresh(Manual.Place.FILES, outputs);
        }
    }

    @Test
    void everyReasonIsExplained() throws IOException {
        String page = Files.readString(PAGE);
        Stream<String> words = Stream.of(Arrays.stream(Reason.values()).map(Reason::word),
                Arrays.stream(WaitReason.values()).map(WaitReason::word), Arrays.stream(Absence.values()).map(Absence::word),
                Arrays.stream(SetState.values()).map(SetState::word)).flatMap(s -> s);
        assertThat(words).allSatisfy(word -> assertThat(page).contains("`" + word + "`"));
    }
}
