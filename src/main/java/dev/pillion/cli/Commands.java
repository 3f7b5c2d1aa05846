package dev.pillion.cli;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
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
        CommandSettings.Source inject = outside.settings().get();
        all.add(command(new InjectCommand(inject, outside.input(), outside.moments()), inject));
        CommandSettings.Source validate = outside.settings().get();
        all.add(command(new ValidateCommand(validate, outside.input()), validate));
        return all;
    }

    private static CommandLine command(Object command, CommandSettings.Source settings) {
        CommandLine line = new CommandLine(command);
        settings.addTo(line.getCommandSpec());
        line.getCommandSpec().mixinStandardHelpOptions(true).exitCodeOnInvalidInput(Exit.USAGE).exitCodeOnExecutionException(Exit.SOFTWARE)
                .usageMessage().width(WIDTH).abbreviateSynopsis(true).sortOptions(false);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        return line;
    }
}
