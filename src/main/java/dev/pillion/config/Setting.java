package dev.pillion.config;

import java.util.Locale;

/**
 * One setting: its name in the file and as a flag, what it takes, and a sentence for --help.
 *
 * @param standard text of the default
 */
public record Setting<T>(String key, String standard, Kind<T> kind, String help) {

    /** The name in the environment: rollout.image-compare is PILLION_ROLLOUT_IMAGE_COMPARE. */
    public String variable() {
        return Settings.PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /** Words that tell what is allowed. */
    public String allowed() {
        return kind.allowed();
    }
}
