package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.pillion.config.Config;
import dev.pillion.config.ConfigReader;
import dev.pillion.config.Reading;
import dev.pillion.inject.InjectOptions;
import dev.pillion.startup.Feature;

final class ChoicesTest {
    /** No Pod gets a gate or a barrier that nobody serves, and nobody serves what no Pod gets (neighbours.md 2.5, trap 3). */
    @ParameterizedTest
    @CsvSource({"owned,true", "all,true", "off,true", "owned,false", "all,false", "off,false"})
    void oneSettingSwitchesBothHalvesOfEach(String gate, String launch) {
        Config config = ((Reading.Loaded) ConfigReader.read(Map.of("injection.readiness-gate", gate, "injection.launch-priority", launch),
                Map.of(), "none", "")).config();

        InjectOptions step = Choices.webhooks(config).inject();

        assertThat(step.readinessGate().name()).isEqualToIgnoringCase(gate);
        assertThat(step.launchPriority()).isEqualTo(Boolean.parseBoolean(launch)
                ? InjectOptions.LaunchPriority.ON
                : InjectOptions.LaunchPriority.OFF);
        Set<Feature> served = new HashSet<>();
        if (step.readinessGate() != InjectOptions.ReadinessGate.OFF) {
            served.add(Feature.READINESS_GATE);
        }
        if (step.launchPriority() == InjectOptions.LaunchPriority.ON) {
            served.add(Feature.LAUNCH_PRIORITY);
        }
        assertThat(Choices.startup(config)).isEqualTo(served);
    }
}
