package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

/** The folder that "mvn package" leaves can be run as it is, from anywhere. */
final class DistributionIT {
    private static final Path HOME = Path.of("target", "pillion").toAbsolutePath();

    @Test
    void theLauncherRunsTheProgram() throws Exception {
        boolean packaged = Files.isDirectory(HOME);
        if (!packaged) {
            System.out.println("DistributionIT: SKIPPED, there is no target/pillion; mvn package makes it");
        }
        assumeTrue(packaged);

        Process process = new ProcessBuilder(HOME.resolve("bin").resolve("pillion").toString(), "--help").directory(Path.of("/").toFile())
                .redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("Usage: pillion", "run", "demo", "sandbox", "sim");
        assertThat(HOME.resolve("lib")).isDirectoryContaining("glob:**/pillion-*.jar");
        assertThat(HOME.resolve("config").resolve("pillion.yaml")).isRegularFile();
    }
}
