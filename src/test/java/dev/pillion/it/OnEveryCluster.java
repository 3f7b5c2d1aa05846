package dev.pillion.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the test class on the sandbox and again on a real API server. The class takes the {@link Cluster} as its only
 * constructor parameter (or as a field marked {@code @Parameter}); JUnit closes it, which empties the real server again.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "on {0}")
@MethodSource("dev.pillion.it.Clusters#all")
public @interface OnEveryCluster {
}
