package dev.pillion.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the harness takes for a refused right. */
final class ControllerRightsTest {
    private static final String EVENT = """
            {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","stage":"ResponseComplete","requestURI":"%s","verb":"list",
             "user":{"username":"%s"},"responseStatus":{"code":%d},"annotations":{"authorization.k8s.io/decision":"%s"}}""";

    private static JsonNode event(String uri, String user, int code, String decision) {
        return JsonMapper.shared().readTree(EVENT.formatted(uri, user, code, decision));
    }

    @Test
    void namesEachRequestThatTheAuthorizerForbadeOnce() {
        JsonNode forbidden = event("/api/v1/secrets", ControllerRights.USER, 403, "forbid");
        // A webhook or a namespace that ends refuses with 403, too, and is no matter of rights.
        JsonNode otherwise = event("/api/v1/namespaces/gone/pods", ControllerRights.USER, 403, "allow");
        JsonNode fine = event("/api/v1/pods", ControllerRights.USER, 200, "allow");

        assertThat(ControllerRights.refused(List.of(forbidden, otherwise, fine, forbidden))).containsExactly("list /api/v1/secrets");
    }

    @Test
    void knowsTheControllerByItsServiceAccount() {
        assertThat(ControllerRights.isAskedByController(event("/", "system:serviceaccount:kruise-system:pillion", 200, "allow"))).isTrue();
        assertThat(ControllerRights.isAskedByController(event("/", "admin", 200, "allow"))).isFalse();
    }
}
