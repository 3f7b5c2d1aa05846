package dev.pillion.kube;

import java.net.URI;

/**
 * Writes of our webhook configurations and of the CRD's conversion webhook. Blocking, with a deadline; each writes nothing where all is
 * as wanted. All throw {@link KubeException}. caBundle is PEM in base 64.
 */
public interface WebhookWrites {
    /**
     * For a controller outside the cluster: creates both configurations, or makes existing ones the same (injection.md 1), and
     * points the CRD's conversion at the same place while its strategy is Webhook.
     */
    void putConfigurations(URI base, String ownNamespace, String caBundle);

    /** Sets caBundle on every entry of the configurations that exist and touches nothing else (stack.md, caBundle). */
    void putCaBundle(String caBundle);

    /** Sets caBundle of the CRD's conversion webhook, only while its strategy is Webhook (stack.md, caBundle). */
    void putConversionCaBundle(String caBundle);
}
