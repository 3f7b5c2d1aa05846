package dev.pillion.check;

import static dev.pillion.check.Severity.ERROR;
import static dev.pillion.check.Severity.INFO;
import static dev.pillion.check.Severity.WARNING;

/** What is looked for; the words are stable. The manual explains each (takeover.md). */
public enum Rule {
    CRD_MISSING("crd-missing", ERROR), CRD_NOT_ESTABLISHED("crd-not-established", ERROR), //
    CRD_VERSION("crd-version", ERROR), CRD_STORAGE("crd-storage", WARNING), CRD_STORED("crd-stored-versions", INFO), //
    CRD_CONVERSION("crd-conversion", ERROR), CRD_ELSEWHERE("crd-conversion-elsewhere", WARNING), //
    WEBHOOK_MISSING("webhook-missing", ERROR), WEBHOOK_DEAD("webhook-dead", ERROR), WEBHOOK_CA("webhook-ca", ERROR), //
    WEBHOOK_IGNORES("webhook-ignores-failure", WARNING), WEBHOOK_TIMEOUT("webhook-timeout", WARNING), //
    WEBHOOK_OWN_NAMESPACE("webhook-own-namespace", ERROR), WEBHOOK_OUTSIDE("webhook-outside", INFO), //
    SECOND_INJECTOR("second-injector", ERROR), SECOND_SET_WEBHOOK("second-set-webhook", WARNING), //
    WEBHOOK_ORDER("webhook-order", WARNING), SAME_PATH("same-path", INFO), //
    CERTIFICATE_MISSING("certificate-missing", ERROR), CERTIFICATE_UNUSABLE("certificate-unusable", ERROR), //
    CERTIFICATE_EXPIRED("certificate-expired", ERROR), CERTIFICATE_LATE("certificate-near-expiry", WARNING), //
    CERTIFICATE_NAMES("certificate-names", ERROR), CERTIFICATE_EXTERNAL("certificate-external", INFO), //
    RIGHT_MISSING("right-missing", ERROR), RIGHTS_ASKED("rights-asked", INFO), //
    NO_CONTROLLER("no-controller", ERROR), TWO_CONTROLLERS("two-controllers", ERROR), OTHER_CONTROLLER("other-controller", INFO), //
    SET_GONE("set-gone", WARNING), HASH_UNREADABLE("hash-unreadable", WARNING), HASH_OLD_FORM("hash-old-form", INFO), //
    STATE_UNREADABLE("state-unreadable", WARNING), //
    GATE_UNSERVED("gate-unserved", ERROR), GATE_WAITING("gate-waiting", WARNING), GATE_HELD("gate-held", WARNING), //
    BARRIER_UNSERVED("barrier-unserved", ERROR), BARRIER_OPEN("barrier-open", WARNING), BARRIER_MISSING("barrier-missing", ERROR), //
    TERMINATOR("terminator", WARNING), ENHANCED_LIVENESS("enhanced-liveness", WARNING), //
    REVISION_MISSING("revision-missing", ERROR), NATIVE_ROLLING("native-rolling", WARNING), SET_NOT_OBSERVED("set-not-observed", WARNING), //
    NEEDS_POD_WEBHOOK("needs-pod-webhook", WARNING), NEEDS_MANAGER("needs-manager", INFO), //
    NOT_CHECKED("not-checked", WARNING);

    private final String word;
    private final Severity severity;

    Rule(String word, Severity severity) {
        this.word = word;
        this.severity = severity;
    }

    public String word() {
        return word;
    }

    public Severity severity() {
        return severity;
    }
}
