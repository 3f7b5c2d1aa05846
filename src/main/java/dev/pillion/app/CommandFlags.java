package dev.pillion.app;

import java.nio.file.Path;
import java.util.Optional;

import dev.pillion.admission.WebhookOptions;
import dev.pillion.cli.CommandSettings;
import dev.pillion.config.Config;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Gives the commands of package cli the settings the controller has, turned into the same options. */
final class CommandFlags implements CommandSettings.Source {
    /** Read by logback.xml: a command's output is its answer, not a log. */
    private static final String LOG_LEVEL = "pillion.log.level";

    private final SettingFlags flags;

    CommandFlags(SettingFlags flags) {
        this.flags = flags;
    }

    @Override
    public void addTo(CommandSpec spec) {
        flags.addQuietlyTo(spec);
    }

    @Override
    public CommandSettings read(Optional<Path> file, CommandLine command) {
        System.setProperty(LOG_LEVEL, System.getProperty(LOG_LEVEL, "WARN"));
        Config config = flags.read(file, command);
        WebhookOptions webhooks = Choices.webhooks(config);
        return new CommandSettings(config.namespace(), config.kube().requestTimeout(), webhooks.inject(), webhooks.validate(),
                Choices.rollout(config), Choices.serving(config));
    }
}
