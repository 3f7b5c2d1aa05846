package dev.pillion.validate;

import java.util.List;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/** securityContext of a container (core-validation.md 7). */
final class SecurityContextRules {
    private static final List<String> PROFILES = List.of("Localhost", "RuntimeDefault", "Unconfined");
    private static final Pattern NETBIOS = Pattern.compile("[^\\\\/:*?\"<>|.][^\\\\/:*?\"<>|]{0,14}");
    private static final Pattern DNS_DOMAIN = Pattern
            .compile("[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*");
    private static final Pattern DOTS_AND_SPACES = Pattern.compile("[. ]+");
    private static final Pattern BAD_USER = Pattern.compile("[\"/\\\\:;|=,+*?<>@\\[\\]]");
    private static final long MAX_ID = Integer.MAX_VALUE;
    private static final int MAX_APPARMOR = 4095;
    private static final int MAX_GMSA = 65536;
    private static final int MAX_DOMAIN = 256;
    private static final int MAX_USER = 104;

    private final Faults faults;

    SecurityContextRules(Faults faults) {
        this.faults = faults;
    }

    void check(JsonNode container, String containerPath) {
        if (!Node.isSet(container, "securityContext")) {
            return;
        }
        JsonNode context = container.path("securityContext");
        String path = containerPath + ".securityContext";
        for (String id : List.of("runAsUser", "runAsGroup")) {
            if (Node.isSet(context, id) && Node.isOutside(Node.number(context, id), 0, MAX_ID)) {
                faults.invalid(path + "." + id, "must be 0 to " + MAX_ID);
            }
        }
        if (Node.isSet(context, "procMount")) {
            String mount = Node.text(context, "procMount");
            faults.oneOf(path + ".procMount", mount, List.of("Default", "Unmasked"));
            if (mount.equals("Unmasked")) {
                faults.invalid(path + ".procMount", "Unmasked needs a pod with hostUsers: false, which a SidecarSet cannot promise");
            }
        }
        if (Node.isFalse(context, "allowPrivilegeEscalation")) {
            if (Node.isTrue(context, "privileged")) {
                faults.invalid(path, "a privileged container cannot have allowPrivilegeEscalation: false");
            }
            Node.texts(context.path("capabilities"), "add").stream().filter("CAP_SYS_ADMIN"::equals)
                    .forEach(_ -> faults.invalid(path, "CAP_SYS_ADMIN cannot be added with allowPrivilegeEscalation: false"));
        }
        if (Node.isSet(context, "seccompProfile")) {
            seccomp(context.path("seccompProfile"), path + ".seccompProfile");
        }
        if (Node.isSet(context, "appArmorProfile")) {
            appArmor(context.path("appArmorProfile"), path + ".appArmorProfile");
        }
        if (Node.isSet(context, "windowsOptions")) {
            windows(context.path("windowsOptions"), path + ".windowsOptions");
        }
    }

    private void seccomp(JsonNode profile, String path) {
        String type = Node.text(profile, "type");
        String at = path + ".localhostProfile";
        boolean local = Node.isSet(profile, "localhostProfile");
        faults.requiredOneOf(path + ".type", type, PROFILES);
        if (!type.equals("Localhost")) {
            if (local) {
                faults.invalid(at, "must only be given with type Localhost");
            }
        } else if (local) {
            faults.invalidEach(at, Formats.localPath(Node.text(profile, "localhostProfile")));
        } else {
            faults.required(at, "must be given with type Localhost");
        }
    }

    private void appArmor(JsonNode profile, String path) {
        String type = Node.text(profile, "type");
        String at = path + ".localhostProfile";
        boolean set = Node.isSet(profile, "localhostProfile");
        String local = Node.text(profile, "localhostProfile");
        faults.requiredOneOf(path + ".type", type, PROFILES);
        if (!PROFILES.contains(type)) {
            return;
        }
        if (!type.equals("Localhost")) {
            if (set) {
                faults.invalid(at, "must only be given with type Localhost");
            }
        } else if (!set || local.isEmpty()) {
            faults.required(at, "must be given with type Localhost");
        } else if (Formats.hasOuterSpace(local)) {
            faults.invalid(at, "must not begin or end with white space");
        }
        if (type.equals("Localhost") && Formats.length(local) > MAX_APPARMOR) {
            faults.tooLong(at, MAX_APPARMOR);
        }
    }

    private void windows(JsonNode options, String path) {
        if (Node.isSet(options, "gmsaCredentialSpecName")) {
            faults.invalidEach(path + ".gmsaCredentialSpecName", Formats.subdomain(Node.text(options, "gmsaCredentialSpecName")));
        }
        if (Node.isSet(options, "gmsaCredentialSpec")) {
            int length = Formats.length(Node.text(options, "gmsaCredentialSpec"));
            if (length == 0 || length > MAX_GMSA) {
                faults.invalid(path + ".gmsaCredentialSpec", "must have 1 to " + MAX_GMSA + " bytes");
            }
        }
        if (Node.isSet(options, "runAsUserName")) {
            userName(Node.text(options, "runAsUserName"), path + ".runAsUserName");
        }
    }

    private void userName(String name, String path) {
        if (name.isEmpty() || name.chars().anyMatch(c -> c < 0x20 || c == 0x7f) || name.chars().filter(c -> c == '\\').count() > 1) {
            faults.invalid(path, "must be a user name, or a domain, one '\\' and a user name, without control characters");
            return;
        }
        int separator = name.indexOf('\\');
        String domain = separator < 0 ? "" : name.substring(0, separator);
        String user = name.substring(separator + 1);
        if (Formats.length(domain) >= MAX_DOMAIN) {
            faults.invalid(path, "the domain must have less than " + MAX_DOMAIN + " characters");
        }
        if (separator >= 0 && !NETBIOS.matcher(domain).matches() && !DNS_DOMAIN.matcher(domain).matches()) {
            faults.invalid(path, "the domain must be a NetBIOS or a DNS name");
        }
        if (user.isEmpty() || Formats.length(user) > MAX_USER) {
            faults.invalid(path, "the user must have 1 to " + MAX_USER + " characters");
        }
        if (DOTS_AND_SPACES.matcher(user).matches()) {
            faults.invalid(path, "the user must not be dots and spaces only");
        }
        if (BAD_USER.matcher(user).find()) {
            faults.invalid(path, "the user must not contain any of \" / \\ : ; | = , + * ? < > @ [ ]");
        }
    }
}
