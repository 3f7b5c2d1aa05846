package dev.pillion.kube;

import java.time.Duration;

/**
 * What the client needs to know (settings.md, kube.* and admission.namespace-read).
 *
 * @param namespace the own namespace, where ControllerRevisions live
 * @param instance names this process in events, usually the host name
 * @param requestTimeout deadline of every request, watches excepted
 * @param watchTimeout how long the server is asked to keep one watch
 * @param liveReadTimeout deadline of a read that an admission review waits for
 */
public record KubeOptions(String namespace, String instance, Duration requestTimeout, Duration watchTimeout, Duration liveReadTimeout) {

    public static KubeOptions defaults(String namespace, String instance) {
        return new KubeOptions(namespace, instance, Duration.ofSeconds(10), Duration.ofSeconds(120), Duration.ofSeconds(1));
    }
}
