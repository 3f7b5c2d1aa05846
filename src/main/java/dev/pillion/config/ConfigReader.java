package dev.pillion.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.pillion.config.Reading.Problem;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * Reads settings: flags win over the environment, the environment over the file, the file over the defaults (settings.md).
 * Every problem is reported, not only the first. One object reads one set of sources.
 */
public final class ConfigReader {
    /**
     * Variables that Kubernetes gives every container for the Services of its namespace. A Service named pillion must not end
     * the start, so they are no unknown keys.
     */
    private static final Pattern SERVICE_VARIABLE = Pattern
            .compile(".*_SERVICE_HOST|.*_SERVICE_PORT(_.*)?|(.*_)?PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?");
    private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");
    private static final YAMLMapper YAML = YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

    private final Map<String, Given> given = new HashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    private record Given(String where, String key, String value) {
    }

    private ConfigReader() {
    }

    /**
     * Reads all sources.
     *
     * @param flags       settings by key, as given on the command line
     * @param environment the process' variables
     * @param fileName    name of the file for messages
     * @param yaml        text of the file, "" for none
     */
    public static Reading read(Map<String, String> flags, Map<String, String> environment, String fileName, String yaml) {
        ConfigReader reader = new ConfigReader();
        String podNamespace = environment.getOrDefault("POD_NAMESPACE", "");
        if (!podNamespace.isEmpty()) {
            reader.given.put("namespace", new Given("environment", "POD_NAMESPACE", podNamespace));
        }
        reader.readFile(fileName, yaml);
        reader.readEnvironment(environment);
        flags.forEach((key, value) -> reader.put(key, new Given("command line", "--" + key, value)));
        Optional<Config> config = reader.build();
        return reader.problems.isEmpty() && config.isPresent()
                ? new Reading.Loaded(config.get())
                : new Reading.Rejected(reader.problems);
    }

    private void readFile(String fileName, String yaml) {
        if (yaml.isBlank()) {
            return;
        }
        try {
            JsonNode root = YAML.readTree(yaml);
            if (root.isObject()) {
                flatten(fileName, "", root);
            } else if (!root.isNull() && !root.isMissingNode()) {
                problems.add(new Problem(fileName, "the file", "", "settings by name, such as \"workers: 4\""));
            }
        } catch (JacksonException e) {
            problems.add(new Problem(fileName, "the file", e.getOriginalMessage().lines().findFirst().orElse(""), "YAML"));
        }
    }

    private void flatten(String fileName, String prefix, JsonNode node) {
        node.properties().forEach(member -> {
            String key = prefix + member.getKey();
            JsonNode value = member.getValue();
            boolean isSection = Settings.all().stream().anyMatch(s -> s.key().startsWith(key + "."));
            if (value.isObject()) {
                flatten(fileName, key + ".", value);
            } else if (value.isNull() && isSection) {
                // A section whose settings are all commented out.
                return;
            } else if (value.isArray() || value.isNull()) {
                problems.add(new Problem(fileName, key, value.toString(), allowed(key)));
            } else {
                put(key, new Given(fileName, key, value.asString()));
            }
        });
    }

    private void readEnvironment(Map<String, String> environment) {
        Map<String, String> keys = Settings.all().stream().collect(Collectors.toMap(Setting::variable, Setting::key));
        environment.forEach((variable, value) -> {
            if (!variable.startsWith(Settings.PREFIX) || SERVICE_ADDRESS.matcher(value).matches()) {
                return;
            }
            String key = keys.get(variable);
            if (key != null) {
                put(key, new Given("environment", variable, value));
            } else if (!SERVICE_VARIABLE.matcher(variable).matches()) {
                problems.add(new Problem("environment", variable, value, "names of settings: "
                        + Settings.all().stream().map(Setting::variable).collect(Collectors.joining(", "))));
            }
        });
    }

    private void put(String key, Given value) {
        if (find(key).isEmpty()) {
            problems.add(new Problem(value.where(), value.key(), value.value(), allowed(key)));
        } else {
            given.put(key, value);
        }
    }

    private static Optional<Setting<?>> find(String key) {
        return Settings.all().stream().filter(s -> s.key().equals(key)).findFirst();
    }

    /** What may stand at a key: its values, or for an unknown key the names of its section, else of all settings. */
    private static String allowed(String key) {
        Optional<Setting<?>> setting = find(key);
        if (setting.isPresent()) {
            return setting.get().allowed();
        }
        int dot = key.indexOf('.');
        String section = dot < 0 ? key + "." : key.substring(0, dot + 1);
        List<String> keys = Settings.all().stream().map(Setting::key).toList();
        List<String> near = keys.stream().filter(k -> k.startsWith(section)).toList();
        return "names of settings: " + String.join(", ", near.isEmpty() ? keys : near);
    }

    private <T> @Nullable T value(Setting<T> setting) {
        Given value = given.getOrDefault(setting.key(), new Given("default", setting.key(), setting.standard()));
        Optional<T> parsed = setting.kind().parser().apply(value.value());
        if (parsed.isEmpty()) {
            problems.add(new Problem(value.where(), value.key(), value.value(), setting.allowed()));
        }
        return parsed.orElse(null);
    }

    private Optional<Config> build() {
        for (Setting<?> setting : Settings.all()) {
            value(setting);
        }
        if (!problems.isEmpty()) {
            return Optional.empty();
        }
        Config config = new Config(get(Settings.NAMESPACE), get(Settings.WORKERS),
                new Config.Queue(get(Settings.BACKOFF_BASE), get(Settings.BACKOFF_MAX), get(Settings.RATE), get(Settings.BURST),
                        get(Settings.STUCK_AFTER)),
                new Config.Events(get(Settings.CONSISTENCY_DELAY), get(Settings.NOT_UPDATE_STATUS)),
                new Config.Rollout(get(Settings.BUDGET), get(Settings.PARALLEL_WRITES), get(Settings.EXPECTATION_DEADLINE),
                        get(Settings.IMAGE_COMPARE)),
                new Config.Status(get(Settings.MIN_INTERVAL)),
                new Config.Injection(get(Settings.SAME_NAME), get(Settings.SORT_BY_NAME), get(Settings.LAUNCH_PRIORITY),
                        get(Settings.READINESS_GATE)),
                new Config.Validation(get(Settings.OVERLAP), get(Settings.METADATA_DEFAULTS)),
                new Config.Admission(get(Settings.ADMISSION_PORT), get(Settings.BODY_LIMIT), get(Settings.IN_FLIGHT),
                        get(Settings.ADMISSION_DEADLINE), get(Settings.NAMESPACE_READ)),
                new Config.Kube(get(Settings.REQUEST_TIMEOUT), get(Settings.WATCH_TIMEOUT)),
                new Config.Health(get(Settings.WATCH_SILENCE)), new Config.Shard(get(Settings.SLOTS)),
                new Config.Lease(get(Settings.LEASE_DURATION), get(Settings.LEASE_RENEW), get(Settings.LEASE_DEADLINE)),
                new Config.Certs(get(Settings.EXTERNAL_CERTS), get(Settings.CERTS_DIRECTORY)),
                new Config.Metrics(get(Settings.METRICS_PORT), get(Settings.PER_SET_LIMIT)), new Config.Log(get(Settings.LOG_FORMAT)));
        checkTogether(config);
        return Optional.of(config);
    }

    /** Only called when every value parses. */
    private <T> T get(Setting<T> setting) {
        T value = value(setting);
        if (value == null) {
            throw new IllegalStateException("setting " + setting.key() + " was not checked before");
        }
        return value;
    }

    private void checkTogether(Config config) {
        Config.Lease lease = config.lease();
        below(Settings.LEASE_RENEW, lease.renew().compareTo(lease.deadline()) < 0, Settings.LEASE_DEADLINE);
        below(Settings.LEASE_DEADLINE, lease.deadline().compareTo(lease.duration()) < 0, Settings.LEASE_DURATION);
        below(Settings.BACKOFF_BASE, config.queue().backoffBase().compareTo(config.queue().backoffMax()) <= 0, Settings.BACKOFF_MAX);
        below(Settings.NAMESPACE_READ, config.admission().namespaceRead().compareTo(config.admission().deadline()) < 0,
                Settings.ADMISSION_DEADLINE);
        below(Settings.WATCH_TIMEOUT, config.kube().watchTimeout().compareTo(config.health().watchSilence()) < 0, Settings.WATCH_SILENCE);
    }

    private void below(Setting<?> low, boolean isBelow, Setting<?> high) {
        if (!isBelow) {
            problems.add(new Problem("settings", low.key(), text(low), "less than " + high.key() + " (" + text(high) + ")"));
        }
    }

    private String text(Setting<?> setting) {
        Given value = given.get(setting.key());
        return value == null ? setting.standard() : value.value();
    }
}
