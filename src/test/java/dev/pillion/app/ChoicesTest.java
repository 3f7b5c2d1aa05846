package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.pillion.config.Config;
import dev.pillion.config.ConfigReader;
import dev.pillion.config.Reading;
import dev.pillion.inject.InjectOptions;

final class ChoicesTest {
    @Test
    void noPodGetsAGateOrABarrierThatNobodyServes() {
        Config config = ((Reading.Loaded) ConfigReader.read(Map.of("injection.readiness-gate", "all", "injection.launch-priority", "true"),
                Map.of(),
                "none", "")).config();

        InjectOptions options = Choices.webhooks(config).inject();

        assertThat(options.readinessGate()).isEqualTo(InjectOptions.ReadinessGate.OFF);
        assertThat(options.launchPriority()).isEqualTo(InjectOptions.LaunchPriority.OFF);
    }
}
