package dev.pillion.app;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.pillion.bench.BenchCommand;
import dev.pillion.cli.Commands;
import dev.pillion.demo.DemoCommand;
import dev.pillion.inject.Moment;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line. Wires the commands; only here the environment is read. */
@Command(name = "pillion", description = "Sidecar control plane: injects, rolls out and explains SidecarSets.", mixinStandardHelpOptions = true, version = "pillion 0.1.0", subcommandsRepeatable = false)
public final class Main implements Runnable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String NETTY_EVENTS = "io.netty.jfr.enabled";

    private Main() {
    }

    public static void main(String[] args) {
        // Netty would register its events with the flight recorder on the first event loop. That starts the recorder: seconds of a throttled CPU.
        System.setProperty(NETTY_EVENTS, System.getProperty(NETTY_EVENTS, "false"));
        System.exit(commands(System.getenv()).execute(args));
    }

    static CommandLine commands(Map<String, String> environment) {
        CommandLine main = new CommandLine(new Main()).addSubcommand(runCommand(environment));
        Commands.all(outside(environment)).forEach(main::addSubcommand);
        return main.addSubcommand(new DemoCommand(Main::startController)).addSubcommand(new SandboxCommand())
                .addSubcommand(new SimCommand()).addSubcommand(BenchCommand.of(Main::startController, environment))
                .setParameterExceptionHandler(Main::explain);
    }

    private static Commands.Outside outside(Map<String, String> environment) {
        return new Commands.Outside(() -> new CommandFlags(new SettingFlags(environment)), System.in,
                () -> Moment.of(Clock.systemUTC().instant(), new SecureRandom()));
    }

    /** Bad arguments: what is wrong and what was meant, not the whole help. */
    private static int explain(ParameterException e, String[] arguments) {
        PrintWriter err = e.getCommandLine().getErr();
        err.println("pillion: " + e.getMessage());
        if (!UnmatchedArgumentException.printSuggestions(e, err)) {
            err.println("See \"" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help\".");
        }
        return e.getCommandLine().getCommandSpec().exitCodeOnInvalidInput();
    }

    private static CommandLine runCommand(Map<String, String> environment) {
        SettingFlags flags = new SettingFlags(environment);
        CommandLine run = new CommandLine(new RunCommand(flags));
        flags.addTo(run.getCommandSpec());
        return run;
    }

    /** Starts a controller as "pillion run" would and waits until it is ready; for demo and bench. */
    static AutoCloseable startController(Path kubeconfig, List<String> settings) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("--kubeconfig", kubeconfig.toString()));
        arguments.addAll(settings);
        CommandLine command = runCommand(System.getenv());
        command.parseArgs(arguments.toArray(String[]::new));
        RunCommand run = command.getCommand();
        Controller controller = Controller.start(run.launch());
        if (!controller.awaitReady(PATIENCE)) {
            List<String> reasons = controller.notReady();
            controller.close();
            throw new IllegalStateException("the controller is not ready after " + PATIENCE.toSeconds() + " s: " + reasons);
        }
        return controller;
    }

    @Override
    public void run() {
        CommandLine.usage(this, System.out);
    }
}
