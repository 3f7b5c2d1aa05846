/**
 * The only user of the Kubernetes client in the controller.
 * In: ports called by the other packages, streams of the API server.
 * Out: views of objects, answers of writes, errors as KubeException.
 */
@NullMarked
package dev.pillion.kube;

import org.jspecify.annotations.NullMarked;
