package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** bin/pillion finds a JDK 25 or says what it looked at. */
final class LauncherTest {
    private static final Path HOME = Path.of("src", "main").toAbsolutePath();
    private static final Path SCRIPT = HOME.resolve("bin").resolve("pillion");

    @TempDir
    private Path folder;

    private record Ended(int code, String out, String err) {
    }

    @Test
    void saysWhatIsMissingAndWhatItLookedAt() throws Exception {
        Path old = fakeJdk("old", "17.0.15");

        Ended ended = run(old, folder.resolve("none"), "run");

        assertThat(ended.code()).isEqualTo(69);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err()).contains("no Java 25 or newer found", "JAVA_HOME", old.resolve("bin/java") + ": Java 17");
    }

    @Test
    void saysSoWhenThereIsNoJavaAtAll() throws Exception {
        Ended ended = run(folder.resolve("nothing"), folder.resolve("none"), "run");

        assertThat(ended.code()).isEqualTo(69);
        assertThat(ended.err()).contains("no Java 25 or newer found");
    }

    @Test
    void takesJavaHomeAndKeepsArgumentsWhole() throws Exception {
        Path jdk = fakeJdk("jdk with blank", "25.0.1");

        Ended ended = run(jdk, folder.resolve("none"), "run", "--kubeconfig", "a b", "");

        assertThat(ended.code()).isZero();
        assertThat(ended.out().lines()).contains("[--enable-native-access=ALL-UNNAMED]", "[-XX:+UseCompactObjectHeaders]")
                .containsSubsequence("[dev.pillion.app.Main]", "[run]", "[--kubeconfig]", "[a b]", "[]");
    }

    @Test
    void passesByAnOldJavaHomeForAFolderWithANewOne() throws Exception {
        Path old = fakeJdk("old", "17.0.15");
        Path jdks = folder.resolve("jdks");
        fakeJdk("jdks/jdk-26", "26");

        Ended ended = run(old, jdks, "demo");

        assertThat(ended.code()).isZero();
        assertThat(ended.out().lines()).contains("[dev.pillion.app.Main]", "[demo]");
    }

    @Test
    void worksThroughASymbolicLink() throws Exception {
        Path jdk = fakeJdk("jdk", "25");
        Path link = Files.createSymbolicLink(folder.resolve("link"), SCRIPT);

        Ended ended = start(link, Map.of(), jdk, folder.resolve("none"), List.of("run"));
        Files.delete(link);

        assertThat(ended.out()).contains("-Dpillion.home=" + HOME);
    }

    @Test
    void choosesTheCollectorUnlessTheUserDoes() throws Exception {
        Path jdk = fakeJdk("jdk", "25");

        Ended usual = run(jdk, folder.resolve("none"), "run");
        Ended chosen = start(SCRIPT, Map.of("JDK_JAVA_OPTIONS", "-Xmx1g -XX:+UseZGC"), jdk, folder.resolve("none"), List.of("run"));
        Ended other = start(SCRIPT, Map.of("JDK_JAVA_OPTIONS", "-XX:MaxRAMPercentage=60"), jdk, folder.resolve("none"), List.of("run"));

        assertThat(usual.out().lines()).contains("[-XX:+UseSerialGC]");
        assertThat(chosen.out().lines()).noneMatch(option -> option.matches(".*Use.*GC.*"));
        assertThat(other.out().lines()).contains("[-XX:+UseSerialGC]");
    }

    /** The JVM would complain of pages that the system has not. */
    @ParameterizedTest
    @CsvSource({"always [madvise] never, '', true", "[always] madvise never, -Xmx1g, true", "always madvise [never], '', false",
            "always [madvise] never, -XX:-UseTransparentHugePages, false", "'', '', false"})
    void asksForLargePagesWhereThereAreAny(String setting, String options, boolean wanted) throws Exception {
        Path jdk = fakeJdk("jdk", "25");
        Path pages = folder.resolve("enabled");
        if (!setting.isEmpty()) {
            Files.writeString(pages, setting + "\n");
        }

        Ended ended = start(SCRIPT, Map.of("pillion_thp", pages.toString(), "JDK_JAVA_OPTIONS", options), jdk, folder.resolve("none"),
                List.of("run"));

        assertThat(ended.out().lines().anyMatch("[-XX:+UseTransparentHugePages]"::equals)).isEqualTo(wanted);
        assertThat(ended.err()).isEmpty();
    }

    /** A folder that looks like a JDK; its java prints its arguments one a line. */
    private Path fakeJdk(String name, String version) throws IOException {
        Path home = Files.createDirectories(folder.resolve(name));
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"test\"\nJAVA_VERSION=\"" + version + "\"\n");
        Files.writeString(java, "#!/bin/sh\nfor a in \"$@\"; do echo \"[$a]\"; done\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        return home;
    }

    private Ended run(Path javaHome, Path jdkFolder, String... arguments) throws Exception {
        return start(SCRIPT, Map.of(), javaHome, jdkFolder, List.of(arguments));
    }

    private Ended start(Path script, Map<String, String> environment, Path javaHome, Path jdkFolder, List<String> arguments)
            throws Exception {
        // A PATH with the tools the script needs and no java.
        Path tools = Files.createDirectories(folder.resolve("tools"));
        for (String tool : List.of("cat", "dirname", "readlink", "sed", "head")) {
            Path wrapper = tools.resolve(tool);
            Files.writeString(wrapper, "#!/bin/sh\nPATH=/usr/bin:/bin exec " + tool + " \"$@\"\n");
            assertThat(wrapper.toFile().setExecutable(true)).isTrue();
        }
        List<String> command = new ArrayList<>(List.of("/bin/sh", script.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", tools.toString(), "JAVA_HOME", javaHome.toString(), "pillion_jdk_folders",
                jdkFolder.toString()));
        builder.environment().putAll(environment);
        Path err = folder.resolve("err.txt");
        Process process = builder.redirectError(err.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out, Files.readString(err));
    }
}
