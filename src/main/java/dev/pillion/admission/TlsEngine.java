package dev.pillion.admission;

import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.OpenSSLEngineOptions;
import io.vertx.core.net.SSLEngineOptions;

/** What does the work of TLS. */
public enum TlsEngine {
    /** The native library that comes with Netty; not there on every platform. */
    OPENSSL,
    /** The engine of the JDK, which is always there. */
    JDK;

    /** OpenSSL when its library can be loaded here, else the JDK's engine. */
    public static TlsEngine best() {
        return OpenSSLEngineOptions.isAvailable() && OpenSSLEngineOptions.isAlpnAvailable() ? OPENSSL : JDK;
    }

    SSLEngineOptions options() {
        return switch (this) {
            case OPENSSL -> new OpenSSLEngineOptions();
            case JDK -> new JdkSSLEngineOptions();
        };
    }
}
