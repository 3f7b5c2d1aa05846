package dev.pillion.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Objects that are stored and changed past the API. */
final class SandboxStoreTest {
    private final Sandbox sandbox = Sandbox.start(SandboxOptions.defaults());

    @AfterEach
    void close() {
        sandbox.close();
    }

    @Test
    void changesAStoredObject() {
        ObjectNode pod = (ObjectNode) JsonMapper.shared()
                .readTree("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\",\"namespace\":\"n\"}}");
        String first = sandbox.put("pods", pod).at("/metadata/resourceVersion").stringValue();

        sandbox.change("pods", "n/p", p -> p.putObject("status").put("phase", "Running"));

        ObjectNode changed = sandbox.get("pods", "n/p").orElseThrow();
        assertThat(changed.at("/status/phase").stringValue()).isEqualTo("Running");
        assertThat(Long.parseLong(changed.at("/metadata/resourceVersion").stringValue())).isGreaterThan(Long.parseLong(first));
    }

    @Test
    void saysWhatIsNotThere() {
        assertThatThrownBy(() -> sandbox.change("pods", "n/p", _ -> {
        })).hasMessage("pods n/p is not there");
    }
}
