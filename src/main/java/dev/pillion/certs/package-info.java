/**
 * The CA and the serving certificate.
 * In: what is stored, and the time.
 * Out: a key store for the server and the bundle for the API server.
 */
@NullMarked
package dev.pillion.certs;

import org.jspecify.annotations.NullMarked;
