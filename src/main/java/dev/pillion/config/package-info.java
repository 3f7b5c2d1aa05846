/**
 * Settings from flags, environment and file.
 * In: arguments, variables, YAML.
 * Out: one immutable Config, or a message that names key, value and what is allowed.
 */
@NullMarked
package dev.pillion.config;

import org.jspecify.annotations.NullMarked;
