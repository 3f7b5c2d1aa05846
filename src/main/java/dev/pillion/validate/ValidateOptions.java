package dev.pillion.validate;

/** Settings and traps that change what is refused. REFERENCE judges as the original, PILLION is the default. */
public record ValidateOptions(Overlap overlap, MetadataDefaults metadataDefaults, Faults faults) {
    /** Setting validation.overlap (validation.md traps 5, 6). */
    public enum Overlap {
        COMPATIBLE, STRICT
    }

    /** Setting validation.metadata-defaults-allowed, the reference's gate SidecarSetPatchPodMetadataDefaultsAllowed. */
    public enum MetadataDefaults {
        REFUSED, ALLOWED
    }

    /** The traps marked fix: as in the original, or mended. */
    public enum Faults {
        KEPT, FIXED
    }

    public static final ValidateOptions REFERENCE = new ValidateOptions(Overlap.COMPATIBLE, MetadataDefaults.REFUSED, Faults.KEPT);
    public static final ValidateOptions PILLION = new ValidateOptions(Overlap.COMPATIBLE, MetadataDefaults.REFUSED, Faults.FIXED);

    public ValidateOptions with(MetadataDefaults defaults) {
        return new ValidateOptions(overlap, defaults, faults);
    }

    public ValidateOptions with(Overlap judged) {
        return new ValidateOptions(judged, metadataDefaults, faults);
    }

    boolean fixes() {
        return faults == Faults.FIXED;
    }
}
