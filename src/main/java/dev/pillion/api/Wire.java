package dev.pillion.api;

/** Names that other programs and stored objects depend on (api.md 1, 4; rollout.md 0). */
public final class Wire {
    public static final String GROUP = "apps.kruise.io";
    public static final String V1BETA1 = "apps.kruise.io/v1beta1";
    public static final String V1ALPHA1 = "apps.kruise.io/v1alpha1";
    public static final String KIND = "SidecarSet";
    public static final String PLURAL = "sidecarsets";

    /** On sets a plain hash; on pods a JSON map by set name. */
    public static final String HASH = "kruise.io/sidecarset-hash";
    public static final String HASH_WITHOUT_IMAGE = "kruise.io/sidecarset-hash-without-image";
    public static final String INJECTED_LIST = "kruise.io/sidecarset-injected-list";
    public static final String IN_PLACE_STATE = "kruise.io/sidecarset-inplace-update-state";
    public static final String WORKING_HOT_UPGRADE = "kruise.io/sidecarset-working-hotupgrade-container";
    public static final String VERSION_PREFIX = "version.sidecarset.kruise.io/";
    public static final String VERSION_ALT_PREFIX = "versionalt.sidecarset.kruise.io/";
    public static final String CANARY = "apps.kruise.io/sidecarset-canary";
    public static final String BASE = "apps.kruise.io/sidecarset-base";
    public static final String CUSTOM_VERSION_LABEL = "apps.kruise.io/sidecarset-custom-version";
    public static final String SET_NAME_LABEL = "kruise.io/sidecarset-name";
    public static final String REVISION_HASH_LABEL = "controller.kubernetes.io/hash";
    public static final String V1ALPHA1_STORE = "pillion.dev/v1alpha1";
    public static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
    public static final String NAMESPACE_NAME_LABEL = "kubernetes.io/metadata.name";

    public static final String UPGRADABLE_CONDITION = "SidecarSetUpgradable";
    public static final String READY_GATE = "KruisePodReady";
    public static final String LAUNCH_BARRIER = "KRUISE_CONTAINER_BARRIER";
    /** Reason of a container that waits for its configuration, such as a key of a ConfigMap. */
    public static final String UNCONFIGURED = "CreateContainerConfigError";
    public static final String LAUNCH_COMPLETED = "apps.kruise.io/container-launch-priority-completed";
    public static final String IS_INJECTED = "IS_INJECTED";
    public static final String SIDECARSET_VERSION = "SIDECARSET_VERSION";
    public static final String SIDECARSET_VERSION_ALT = "SIDECARSET_VERSION_ALT";

    public static final String CONFIG_MAP = "kruise-configuration";
    public static final String WHITELIST_KEY = "SidecarSet_PatchPodMetadata_WhiteList";

    private Wire() {
    }

    /** Whether a pod annotation of this key belongs into {@link PodMarks}. */
    public static boolean isPodMark(String key) {
        return switch (key) {
            case HASH, HASH_WITHOUT_IMAGE, INJECTED_LIST, IN_PLACE_STATE, WORKING_HOT_UPGRADE -> true;
            default -> key.startsWith(VERSION_PREFIX) || key.startsWith(VERSION_ALT_PREFIX);
        };
    }
}
