package dev.pillion.cli;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.pillion.check.CheckOptions;
import dev.pillion.inject.InjectOptions;
import dev.pillion.inject.Moment;
import dev.pillion.rollout.RolloutOptions;
import dev.pillion.validate.ValidateOptions;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What one call of a command printed and how it ended; the time stands still and all settings have their defaults.
 *
 * @param both out and err in the order they were written, as on a terminal
 */
record CommandRun(int code, String out, String err, String both) {
    private static final Moment MOMENT = new Moment(Instant.parse("2026-03-01T12:00:00Z"), 0.5, "abcde");
    private static final InjectOptions INJECT = InjectOptions.PILLION.with(InjectOptions.SameName.REPLACE, InjectOptions.Sort.AS_WRITTEN,
            InjectOptions.ReadinessGate.OWNED, InjectOptions.LaunchPriority.OFF);

    static CommandRun of(String... arguments) {
        return withInput("", arguments);
    }

    static CommandRun withInput(String input, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine root = new CommandLine(CommandSpec.create().name("pillion"));
        Commands.all(new Commands.Outside(Defaults::new, new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), () -> MOMENT))
                .forEach(root::addSubcommand);
        StringWriter both = new StringWriter();
        root.setOut(new PrintWriter(new Tee(out, both))).setErr(new PrintWriter(new Tee(err, both)));
        int code = root.execute(arguments);
        return new CommandRun(code, out.toString(), err.toString(), both.toString());
    }

    /** Writes twice. */
    private static final class Tee extends Writer {
        private final StringWriter first;
        private final StringWriter second;

        Tee(StringWriter first, StringWriter second) {
            this.first = first;
            this.second = second;
        }

        @Override
        public void write(char[] text, int from, int length) {
            first.write(text, from, length);
            second.write(text, from, length);
        }

        @Override
        public void flush() {
            // Nothing is held back.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private static final class Defaults implements CommandSettings.Source {
        @Override
        public void addTo(CommandSpec spec) {
            // Flags of settings are tried where they are made, in package app.
        }

        @Override
        public CommandSettings read(Optional<Path> file, CommandLine command) {
            return new CommandSettings("kruise-system", Duration.ofSeconds(10), INJECT, ValidateOptions.PILLION, RolloutOptions.PILLION,
                    new CommandSettings.Serving(Duration.ofSeconds(8), CheckOptions.Certificates.OWN));
        }
    }
}
