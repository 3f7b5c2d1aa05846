package dev.pillion.app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import dev.pillion.config.Config;
import dev.pillion.config.ConfigReader;
import dev.pillion.config.Reading;
import dev.pillion.config.Setting;
import dev.pillion.config.Settings;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Every setting as a flag of a command, and the Config they lead to together with environment and file. */
final class SettingFlags {
    /** Set by bin/pillion: the folder that holds config/. */
    private static final String HOME = "pillion.home";
    /** Read by logback.xml. */
    private static final String LOG_FORMAT = "pillion.log.format";
    private static final String NAMESPACE = "namespace";

    private final Map<String, String> given = new LinkedHashMap<>();
    private final Map<String, String> environment;

    SettingFlags(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** Every setting by its name, in the help too. */
    void addTo(CommandSpec spec) {
        Settings.all().forEach(s -> spec.addOption(option("--" + s.key(), s).build()));
    }

    /**
     * For commands beside a running controller: the flags work and are not listed. There --namespace means what users of kubectl expect,
     * so the controller's own namespace has another flag.
     */
    void addQuietlyTo(CommandSpec spec) {
        for (Setting<?> setting : Settings.all()) {
            boolean own = setting.key().equals(NAMESPACE);
            spec.addOption(option(own ? "--controller-namespace" : "--" + setting.key(), setting).hidden(!own).build());
        }
    }

    private OptionSpec.Builder option(String name, Setting<?> setting) {
        return OptionSpec.builder(name).paramLabel("VALUE").type(String.class)
                .description(setting.help().replace("%", "%%"), "Default: " + setting.standard() + ".").setter(new ISetter() {
                    @Override
                    public <T> T set(T value) {
                        T old = value;
                        if (value instanceof String text) {
                            given.put(setting.key(), text);
                        }
                        return old;
                    }
                });
    }

    /**
     * The settings of all sources, checked; also tells logging its form.
     *
     * @param file the settings file; empty: config/pillion.yaml of the distribution, if there is one
     * @throws ParameterException with one line for each problem
     */
    Config read(Optional<Path> file, CommandLine command) {
        Optional<Path> chosen = file.or(SettingFlags::fileOfDistribution);
        String yaml = "";
        if (chosen.isPresent()) {
            try {
                yaml = Files.readString(chosen.get());
            } catch (IOException e) {
                throw new ParameterException(command, "--config: cannot read " + chosen.get() + ": " + e, e);
            }
        }
        return switch (ConfigReader.read(given, environment, chosen.map(Path::toString).orElse("no file"), yaml)) {
            case Reading.Loaded(Config config) -> {
                System.setProperty(LOG_FORMAT, config.log().format().name().toLowerCase(Locale.ROOT));
                yield config;
            }
            case Reading.Rejected(List<Reading.Problem> problems) -> throw new ParameterException(command,
                    String.join(System.lineSeparator(), problems.stream().map(Reading.Problem::message).toList()));
        };
    }

    private static Optional<Path> fileOfDistribution() {
        return Optional.ofNullable(System.getProperty(HOME)).map(h -> Path.of(h, "config", "pillion.yaml")).filter(Files::isReadable);
    }
}
