package dev.pillion.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.pillion.demo.AuditLines.Ready;
import dev.pillion.rollout.RolloutOptions.Budget;

/** The judge must catch what broke the limit and nothing else (rollout.md 16.3). */
final class JudgeTest {
    private static final Duration GRACE = Duration.ofSeconds(2);

    private static Judge.Verdict judge(AuditLines lines) {
        return judge(lines.lines());
    }

    private static Judge.Verdict judge(Stream<String> lines) {
        return Judge.judge(AuditLog.writes(lines), AuditLines.SET, GRACE);
    }

    private static AuditLines fourPods(Object maxUnavailable) {
        return new AuditLines().set(maxUnavailable).pods("a", "b", "c", "d").at(60);
    }

    @Test
    void aKeptLimitIsKept() {
        Judge.Verdict verdict = judge(
                fourPods(2).upgrade("a", Ready.YES).upgrade("b", Ready.YES).sound("a").upgrade("c", Ready.YES).sound("b").sound("c")
                        .upgrade("d", Ready.YES).sound("d"));

        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.mostUnavailable()).isEqualTo(2);
        assertThat(verdict.podWrites()).hasSize(4).allSatisfy((_, n) -> assertThat(n).isEqualTo(1));
        assertThat(verdict.statusPatches()).isEmpty();
    }

    @Test
    void aBrokenLimitIsCaughtAndTold() {
        Judge.Verdict verdict = judge(fourPods(2).upgrade("a", Ready.YES).upgrade("b", Ready.YES).upgrade("c", Ready.YES));

        assertThat(verdict.violations()).singleElement().asString().contains("default/c", "2 pods were unavailable (", "default/a since ",
                "default/b since ", "limit being 2");
        assertThat(verdict.mostUnavailable()).isEqualTo(3);
    }

    @Test
    void percentagesCountOfTheMatchingPods() {
        assertThat(judge(fourPods("50%").upgrade("a", Ready.YES).upgrade("b", Ready.YES)).violations()).isEmpty();
        assertThat(judge(fourPods("25%").upgrade("a", Ready.YES).upgrade("b", Ready.YES)).violations()).hasSize(1);
    }

    /** The old container still runs and the kubelet has not looked yet: ready, but not what was asked for. */
    @Test
    void anUpgradedPodUsesItsPlaceUntilItRunsTheNewImage() {
        AuditLines stillOld = fourPods(1).upgrade("a", Ready.YES).kubelet("a", "h2", "log:1", Ready.NO);
        assertThat(judge(stillOld.upgrade("b", Ready.YES)).violations()).hasSize(1);
        assertThat(judge(fourPods(1).upgrade("a", Ready.YES).sound("a").upgrade("b", Ready.YES)).violations()).isEmpty();
    }

    @Test
    void aPodThatWasUnreadyWhenUpgradedIsFree() {
        Judge.Verdict verdict = judge(fourPods(1).kubelet("c", "h1", "log:1", Ready.NO).upgrade("a", Ready.YES).upgrade("c", Ready.NO));

        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.mostUnavailable()).isEqualTo(1);
    }

    @Test
    void aLimitThatSankMayStillBeOnItsWayDuringTheGrace() {
        assertThat(judge(fourPods(2).set(1).upgrade("a", Ready.YES).at(61).upgrade("b", Ready.YES)).violations()).isEmpty();
        assertThat(judge(fourPods(2).set(1).upgrade("a", Ready.YES).at(63).upgrade("b", Ready.YES)).violations()).hasSize(1);
    }

    @Test
    void aLimitThatRoseCountsAtOnce() {
        assertThat(judge(fourPods(1).upgrade("a", Ready.YES).set(2).upgrade("b", Ready.YES)).violations()).isEmpty();
    }

    @Test
    void theStrictBudgetCountsPodsOnTheirWayToAnyVersion() {
        Stream<String> lines = fourPods(1).upgrade("a", Ready.YES).upgradeTo("h3", "b", Ready.YES).lines();
        List<AuditLog.Write> writes = AuditLog.writes(lines);

        assertThat(Judge.judge(writes, AuditLines.SET, GRACE, Budget.COMPATIBLE).violations()).isEmpty();
        assertThat(Judge.judge(writes, AuditLines.SET, GRACE, Budget.STRICT).violations()).hasSize(1);
    }

    /** A correction reaches broken pods freely, and they go on counting until they are sound. */
    @Test
    void aCorrectedPodStillCountsWhenStrict() {
        AuditLines corrected = fourPods(1).upgrade("a", Ready.YES).kubelet("a", "h2", "log:1", Ready.NO).upgradeTo("h3", "a", Ready.NO);
        assertThat(strict(corrected)).isEmpty();
        assertThat(strict(corrected.upgradeTo("h3", "b", Ready.YES))).hasSize(1);
    }

    private static List<String> strict(AuditLines lines) {
        return Judge.judge(AuditLog.writes(lines.lines()), AuditLines.SET, GRACE, Budget.STRICT).violations();
    }

    @Test
    void aDeletedPodGivesItsPlaceFree() {
        assertThat(judge(fourPods(1).upgrade("a", Ready.YES).delete("a").upgrade("b", Ready.YES)).violations()).isEmpty();
    }

    /** kube-apiserver marks a Pod that goes at once in a version before the deletion's, which the log does not show. */
    @Test
    void aPodThatIsBeingDeletedMayHaveGivenItsPlaceFree() {
        AuditLines asked = fourPods(1).upgrade("a", Ready.YES).at(61).upgrade("b", Ready.YES).at(62).deleteAskedAt(60.5, "a");
        assertThat(judge(asked).violations()).isEmpty();
        AuditLines later = fourPods(1).upgrade("a", Ready.YES).at(61).upgrade("b", Ready.YES).at(62).deleteAskedAt(61.5, "a");
        assertThat(judge(later).violations()).hasSize(1);
    }

    @Test
    void aPodCountsOnlyWhileItMatches() {
        AuditLines away = fourPods(1).upgrade("a", Ready.YES).relabel("a").upgrade("b", Ready.YES);
        assertThat(judge(away).violations()).isEmpty();
        AuditLines back = away.sound("b").kubelet("a", "h2", "log:1", Ready.NO);
        assertThat(judge(back.upgrade("c", Ready.YES)).violations()).hasSize(1);
    }

    @Test
    void refusedWritesAreNoUpgrades() {
        Judge.Verdict verdict = judge(fourPods(1).upgrade("a", Ready.YES).refusedUpgrade("b"));

        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.podWrites()).hasSize(1);
    }

    /** A server with several threads writes its lines as requests end. */
    @Test
    void theOrderOfTheStoreCountsNotThatOfTheLines() {
        List<String> lines = new ArrayList<>(
                fourPods(1).upgrade("a", Ready.YES).sound("a").upgrade("b", Ready.YES).sound("b").lines().toList());
        Collections.swap(lines, lines.size() - 2, lines.size() - 3);

        assertThat(judge(lines.stream()).violations()).isEmpty();
    }

    @Test
    void brokenLinesAreLeftOut() {
        Stream<String> lines = Stream.concat(Stream.of("", "{", "[]", "{\"stage\":\"ResponseComplete\",\"verb\":\"get\"}"),
                fourPods(1).upgrade("a", Ready.YES).upgrade("b", Ready.YES).lines());

        assertThat(judge(lines).violations()).hasSize(1);
    }
}
