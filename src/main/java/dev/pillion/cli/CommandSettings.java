package dev.pillion.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import dev.pillion.check.CheckOptions;
import dev.pillion.inject.InjectOptions;
import dev.pillion.rollout.RolloutOptions;
import dev.pillion.validate.ValidateOptions;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What the commands take from the settings: the same as the controller does, so both give one answer.
 *
 * @param namespace the controller's own: revisions and the configuration live there
 */
public record CommandSettings(String namespace, Duration requestTimeout, InjectOptions inject, ValidateOptions validate,
        RolloutOptions rollout, Serving serving) {

    /**
     * How the webhooks are served.
     *
     * @param deadline when an answer is sent at the latest
     */
    public record Serving(Duration deadline, CheckOptions.Certificates certificates) {
    }

    /** Where settings come from; one for each command. */
    public interface Source {
        /** Adds every setting to the command as a flag; they are not listed in its help. */
        void addTo(CommandSpec spec);

        /**
         * Reads flags, environment and file.
         *
         * @param file the settings file; empty: the one of the distribution, if there is one
         * @throws picocli.CommandLine.ParameterException with one line for each problem
         */
        CommandSettings read(Optional<Path> file, CommandLine command);
    }
}
