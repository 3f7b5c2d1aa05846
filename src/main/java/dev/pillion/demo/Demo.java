package dev.pillion.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

import dev.pillion.api.Json;
import dev.pillion.kube.KubeClient;
import dev.pillion.kube.KubeException;
import dev.pillion.kube.KubeOptions;
import dev.pillion.sandbox.FreePorts;
import dev.pillion.sandbox.Sandbox;
import dev.pillion.sandbox.SandboxOptions;
import dev.pillion.sim.SimOptions;
import dev.pillion.sim.SimOptions.Delay;
import dev.pillion.sim.Simulators;

import tools.jackson.databind.node.ObjectNode;

/**
 * One run of the demo.
 *
 * <ol>
 * <li>Start the sandbox; write its kubeconfig; apply the CustomResourceDefinition.
 * <li>Start simulators and controller, which get the kubeconfig and nothing else.
 * <li>Apply the SidecarSets, then the workloads; wait until all pods run with their sidecars.
 * <li>Change the image and watch the roll-out; with a bad image, correct it when the roll-out has stood still for a while.
 * <li>Judge by the audit log and print the summary.
 * </ol>
 */
final class Demo {
    static final int FAILED = 1;
    private static final Duration STANDSTILL = Duration.ofSeconds(5);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);
    private static final String NAMESPACE = "kruise-system";

    private final DemoOptions options;
    private final ControllerStarter starter;
    private final PrintStream out;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile int exitCode = FAILED;

    Demo(DemoOptions options, ControllerStarter starter, PrintStream out) {
        this.options = options;
        this.starter = starter;
        this.out = out;
    }

    /** Returns the exit code: 0 when the roll-out was complete and its limit kept. */
    int run() throws Exception {
        Scene scene;
        try {
            scene = Scene.of(options);
        } catch (IOException e) {
            out.println("demo: " + e.getMessage());
            return FAILED;
        }
        Path folder = Files.createTempDirectory("pillion-demo");
        Path kubeconfig = folder.resolve("kubeconfig");
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(() -> end(ended), "demo-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try (Sandbox sandbox = Sandbox.start(SandboxOptions.defaults())) {
            Files.writeString(kubeconfig, sandbox.kubeconfig());
            try (KubeClient client = KubeClient.connect(Optional.of(kubeconfig), KubeOptions.defaults(NAMESPACE, "demo"))) {
                exitCode = play(scene, sandbox, kubeconfig, client);
                return exitCode;
            }
        } catch (KubeException e) {
            out.println("demo: the cluster refused a request: " + e.getMessage());
            return FAILED;
        } catch (IllegalStateException e) {
            // The sandbox or the controller does not start, such as a port in use.
            out.println("demo: " + e.getMessage());
            return FAILED;
        } finally {
            remove(kubeconfig, folder);
            ended.countDown();
            forget(hook);
        }
    }

    /** kubectl may have left a cache beside the kubeconfig; what is not ours stays. */
    private static void remove(Path kubeconfig, Path folder) throws IOException {
        Files.deleteIfExists(kubeconfig);
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            return;
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is stopping: the hook runs and waits for this very end.
            return;
        }
    }

    /** On a signal: let the run close everything in order, but not for ever. The JVM would exit with 143, but a stop in order is a success. */
    private void end(CountDownLatch ended) {
        stopped.countDown();
        boolean inOrder = false;
        try {
            inOrder = ended.await(STOP_PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        out.flush();
        Runtime.getRuntime().halt(inOrder ? exitCode : FAILED);
    }

    private int play(Scene scene, Sandbox sandbox, Path kubeconfig, KubeClient client) throws Exception {
        Stage stage = new Stage(client.objects(), out, stopped);
        stage.apply(scene.definitions());
        stage.apply(List.of(namespace()));
        int port = FreePorts.next();
        List<String> settings = List.of("--webhook-url=https://127.0.0.1:" + port, "--metrics.port=0");
        try (AutoCloseable _ = Simulators.start(Optional.of(kubeconfig), simulation());
                AutoCloseable _ = starter.start(kubeconfig, settings)) {
            out.println("sandbox " + sandbox.url() + ", webhooks on port " + port);
            int code = perform(scene, sandbox, stage);
            if (code == 0 && options.end() == DemoOptions.End.SERVE && stopped.getCount() > 0) {
                out.println();
                out.println("still serving; look around with");
                out.println("  export KUBECONFIG=" + kubeconfig);
                out.println("  kubectl get sidecarsets,pods -A");
                out.println("end with Ctrl-C");
                stopped.await();
            }
            return code;
        }
    }

    private int perform(Scene scene, Sandbox sandbox, Stage stage) throws InterruptedException {
        List<ObjectNode> namespaces = scene.workloads().stream().filter(o -> Json.text(o, "kind").equals("Namespace")).toList();
        List<ObjectNode> others = scene.workloads().stream().filter(o -> !Json.text(o, "kind").equals("Namespace")).toList();
        stage.apply(namespaces);
        stage.apply(scene.sidecarSets());
        Optional<String> problem = stage.awaitKnown(scene.sidecarSets(), options.deadline());
        if (problem.isPresent()) {
            out.println(problem.get());
            return FAILED;
        }
        stage.apply(others);
        int wanted = others.stream().filter(o -> Json.text(o, "kind").equals("Deployment"))
                .mapToInt(o -> o.path("spec").path("replicas").asInt(1)).sum();
        stage.title("pods start with their sidecars");
        problem = stage.awaitPods(wanted, scene.sidecarSets(), options.deadline());
        if (problem.isPresent()) {
            return fail(problem.get());
        }
        if (options.image() == DemoOptions.Image.BAD_FIRST) {
            stage.title("an image is rolled out that never becomes ready");
            List<ObjectNode> bad = stage.apply(each(scene.sidecarSets(), Scene::withBadImages));
            problem = stage.awaitStandstill(bad, STANDSTILL, options.deadline());
            if (problem.isPresent()) {
                return fail(problem.get());
            }
            stage.title("the image is corrected");
        } else {
            stage.title("the image changes");
        }
        List<ObjectNode> next = stage.apply(each(scene.sidecarSets(), Scene::withNextImages));
        problem = stage.awaitRollout(next, options.deadline());
        if (problem.isPresent()) {
            return fail(problem.get());
        }
        return Summary.of(AuditLog.writes(sandbox.audit().lines().stream()), next, stage.progress(next)).print(out);
    }

    private int fail(String problem) {
        out.println(stopped.getCount() == 0 ? "stopped by a signal before the end" : problem);
        return FAILED;
    }

    /** Containers take between the given time and half as long again, so that pods do not move in step. */
    private SimOptions simulation() {
        Delay delay = new Delay(options.kubeletDelay(), options.kubeletDelay().multipliedBy(3).dividedBy(2));
        return SimOptions.defaults().withDelays(delay, delay, Delay.of(200, 500)).withNeverReady(Pattern.compile(":" + Scene.BAD_TAG));
    }

    private static List<ObjectNode> each(List<ObjectNode> sets, UnaryOperator<ObjectNode> change) {
        List<ObjectNode> changed = new ArrayList<>();
        sets.forEach(s -> changed.add(change.apply(s)));
        return changed;
    }

    private static ObjectNode namespace() {
        ObjectNode namespace = Json.object().put("apiVersion", "v1").put("kind", "Namespace");
        namespace.putObject("metadata").put("name", NAMESPACE);
        return namespace;
    }

}
