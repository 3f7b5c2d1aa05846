package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.pillion.config.Setting;
import dev.pillion.config.Settings;

import picocli.CommandLine;

/** The command line up to the point where something starts. */
final class MainTest {
    @TempDir
    private Path folder;

    private record Ended(int code, String out, String err) {
    }

    @Test
    void helpOfRunNamesEverySetting() {
        Ended ended = execute(Map.of(), "run", "--help");

        assertThat(ended.code()).isZero();
        assertThat(Settings.all()).extracting(Setting::key).allSatisfy(key -> assertThat(ended.out()).contains("--" + key));
    }

    @Test
    void aBadFlagEndsTheStartWithKeyValueAndWhatIsAllowed() {
        Ended ended = execute(Map.of(), "run", "--rollout.budget=loose");

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).contains("--rollout.budget", "loose", "compatible or strict");
        assertThat(ended.err().lines().count()).isLessThan(4);
    }

    @Test
    void anUnknownFlagIsAnsweredWithTheOneThatWasMeant() {
        Ended ended = execute(Map.of(), "run", "--rollout.buget=strict");

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.err()).contains("--rollout.buget", "--rollout.budget");
    }

    @Test
    void badVariablesAndFilesEndTheStart() throws Exception {
        Path file = Files.writeString(folder.resolve("f.yaml"), "workers: many\n");

        Ended variable = execute(Map.of("PILLION_LOG_FORMAT", "xml"), "run");
        Ended setting = execute(Map.of(), "run", "--config", file.toString());
        Ended missing = execute(Map.of(), "run", "--config", folder.resolve("none").toString());

        assertThat(variable.err()).contains("PILLION_LOG_FORMAT", "xml", "text or json");
        assertThat(setting.err()).contains(file.toString(), "workers", "many");
        assertThat(missing.err()).contains("cannot read");
        assertThat(variable.code() + setting.code() + missing.code()).isEqualTo(6);
    }

    @Test
    void aWebhookUrlMustBeHttpsWithoutAPath() {
        for (String url : new String[]{"http://127.0.0.1:1", "https://127.0.0.1:1/x", "127.0.0.1:1"}) {
            assertThat(execute(Map.of(), "run", "--webhook-url", url).err()).contains("--webhook-url", url);
        }
    }

    @Test
    void aListenPortNeedsAWebhookUrlAndARealPort() {
        assertThat(execute(Map.of(), "run", "--listen-port=9876").err()).contains("--listen-port", "--webhook-url", "--admission.port");
        assertThat(execute(Map.of(), "run", "--webhook-url=https://127.0.0.1:1", "--listen-port=70000").err()).contains("--listen-port",
                "70000",
                "1 to 65535");
    }

    @Test
    void aKubeconfigThatIsNotThereEndsTheStart() {
        String missing = folder.resolve("none").toString();

        assertThat(execute(Map.of(), "run", "--kubeconfig", missing, "--metrics.port=0").code()).isEqualTo(1);
        assertThat(execute(Map.of(), "sim", "--kubeconfig", missing).code()).isEqualTo(1);
    }

    /** The settings of the controller are those of the commands, from all three sources. */
    @Test
    void theCommandsHeedTheControllersSettings() throws Exception {
        Path pod = Files.writeString(folder.resolve("pod.yaml"), """
                {apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: web}}, spec: {containers: [{name: log, image: mine}]}}
                """);
        Path set = Files.writeString(folder.resolve("set.yaml"), """
                {apiVersion: apps.kruise.io/v1beta1, kind: SidecarSet, metadata: {name: logs},
                 spec: {selector: {matchLabels: {app: web}}, containers: [{name: log, image: "log:1"}]}}
                """);
        Path file = Files.writeString(folder.resolve("refuse.yaml"), "injection: {same-name: refuse}\n");
        String[] plain = {"inject", "-f", pod.toString(), "-s", set.toString()};

        assertThat(execute(Map.of(), plain).code()).isZero();
        assertThat(execute(Map.of(), with(plain, "--injection.same-name=refuse")).code()).isEqualTo(1);
        assertThat(execute(Map.of("PILLION_INJECTION_SAME_NAME", "refuse"), plain).err()).contains("same-name", "SidecarSet logs");
        assertThat(execute(Map.of(), with(plain, "--config", file.toString())).code()).isEqualTo(1);
        Ended wrong = execute(Map.of(), with(plain, "--injection.same-name=maybe"));
        assertThat(wrong.code()).isEqualTo(64);
        assertThat(wrong.err()).contains("maybe", "replace or refuse");
    }

    private static String[] with(String[] arguments, String... more) {
        return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
    }

    private static Ended execute(Map<String, String> environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine main = Main.commands(environment).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int code = main.execute(arguments);
        return new Ended(code, out.toString(), err.toString());
    }
}
