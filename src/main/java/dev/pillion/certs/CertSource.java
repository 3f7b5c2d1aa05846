package dev.pillion.certs;

/** Where the serving certificate comes from. Blocking; not safe for several threads. */
public interface CertSource {
    /**
     * Looks once. A look that failed may be tried again.
     *
     * @throws dev.pillion.kube.KubeException when the API server refuses or cannot be reached
     */
    Look look(Look.Telling telling);
}
