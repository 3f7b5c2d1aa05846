package dev.pillion.cli;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.pillion.inject.Moment;

import picocli.CommandLine;

/** All commands of this package, ready to be added to the program's. */
public final class Commands {
    private static final int WIDTH = 120;

    /**
     * What the commands take from outside.
     *
     * @param settings a new source for each command
     * @param input what a file named {@code -} stands for
     */
    public record Outside(Supplier<CommandSettings.Source> settings, InputStream input, Supplier<Moment> moments) {
    }

    private Commands() {
    }

    public static List<CommandLine> all(Outside outside) {
        List<CommandLine> all = new ArrayList<>();
        all.add(command(outside, s -> new InjectCommand(s, outside.input(), outside.moments())));
        all.add(command(outside, s -> new ValidateCommand(s, outside.input())));
        CommandLine explain = new CommandLine(new ExplainCommand());
        explain.addSubcommand(command(outside, s -> new ExplainPodCommand(s, outside.moments())));
        explain.addSubcommand(command(outside, s -> new ExplainSetCommand(s, outside.moments())));
        all.add(dressed(explain));
        all.add(command(outside, s -> new StatusCommand(s, outside.moments())));
        all.add(command(outside, s -> new HistoryCommand(s, outside.moments())));
        all.add(command(outside, s -> new CheckCommand(s, outside.moments())));
        all.add(command(outside, UndoCommand::new));
        all.add(command(outside, s -> new PlanCommand(s, outside.input(), outside.moments())));
        all.add(rollout(outside));
        return all;
    }

    private static CommandLine rollout(Outside outside) {
        CommandLine pause = command(outside, s -> new RolloutCommands.Pause(s, RolloutCommands.Paused.YES));
        pause.getCommandSpec().name("pause").usageMessage().description("Stops the roll-out of a SidecarSet where it is.");
        CommandLine resume = command(outside, s -> new RolloutCommands.Pause(s, RolloutCommands.Paused.NO));
        resume.getCommandSpec().name("resume").usageMessage().description("Lets the roll-out of a SidecarSet go on.");
        return dressed(new CommandLine(new RolloutCommands.Group()).addSubcommand(pause).addSubcommand(resume)
                .addSubcommand(command(outside, RolloutCommands.SetImage::new)));
    }

    private static CommandLine command(Outside outside, Function<CommandSettings.Source, Object> make) {
        CommandSettings.Source settings = outside.settings().get();
        CommandLine line = new CommandLine(make.apply(settings));
        settings.addTo(line.getCommandSpec());
        return dressed(line);
    }

    private static CommandLine dressed(CommandLine line) {
        line.getCommandSpec().mixinStandardHelpOptions(true).exitCodeOnInvalidInput(Exit.USAGE).exitCodeOnExecutionException(Exit.SOFTWARE)
                .usageMessage().width(WIDTH).abbreviateSynopsis(true).sortOptions(false);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        return line;
    }
}
