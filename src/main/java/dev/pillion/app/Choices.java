package dev.pillion.app;

import java.util.EnumSet;
import java.util.Set;

import dev.pillion.admission.WebhookOptions;
import dev.pillion.check.CheckOptions;
import dev.pillion.cli.CommandSettings;
import dev.pillion.config.Config;
import dev.pillion.inject.InjectOptions;
import dev.pillion.match.ImageCompare;
import dev.pillion.queue.RateLimiter;
import dev.pillion.reconcile.ReconcileOptions;
import dev.pillion.revision.RevisionOptions;
import dev.pillion.rollout.RolloutOptions;
import dev.pillion.shard.LeaseTimes;
import dev.pillion.startup.Feature;
import dev.pillion.validate.ValidateOptions;
import dev.pillion.watch.WatchOptions;

/** Turns settings into the options of each part. The parts know nothing of settings. */
final class Choices {
    private Choices() {
    }

    static WebhookOptions webhooks(Config config) {
        Config.Injection injection = config.injection();
        InjectOptions inject = InjectOptions.PILLION.with(switch (injection.sameName()) {
            case REPLACE -> InjectOptions.SameName.REPLACE;
            case REFUSE -> InjectOptions.SameName.REFUSE;
        }, switch (injection.order()) {
            case AS_WRITTEN -> InjectOptions.Sort.AS_WRITTEN;
            case BY_NAME -> InjectOptions.Sort.BY_NAME;
        }, switch (injection.readinessGate()) {
            case OWNED -> InjectOptions.ReadinessGate.OWNED;
            case ALL -> InjectOptions.ReadinessGate.ALL;
            case OFF -> InjectOptions.ReadinessGate.OFF;
        }, switch (injection.launchPriority()) {
            case ON -> InjectOptions.LaunchPriority.ON;
            case OFF -> InjectOptions.LaunchPriority.OFF;
        });
        return new WebhookOptions(config.namespace(), inject, validate(config));
    }

    /** The controllers that serve what the webhook adds: by the same settings, so that no Pod waits for one that is not there. */
    static Set<Feature> startup(Config config) {
        Set<Feature> features = EnumSet.noneOf(Feature.class);
        switch (config.injection().readinessGate()) {
            case OWNED, ALL -> features.add(Feature.READINESS_GATE);
            case OFF -> {
            }
        }
        switch (config.injection().launchPriority()) {
            case ON -> features.add(Feature.LAUNCH_PRIORITY);
            case OFF -> {
            }
        }
        return features;
    }

    /** What "pillion check" holds webhook configurations and certificates against. */
    static CommandSettings.Serving serving(Config config) {
        return new CommandSettings.Serving(config.admission().deadline(), switch (config.certs().source()) {
            case OWN -> CheckOptions.Certificates.OWN;
            case EXTERNAL -> CheckOptions.Certificates.EXTERNAL;
        });
    }

    private static ValidateOptions validate(Config config) {
        return new ValidateOptions(switch (config.validation().overlap()) {
            case COMPATIBLE -> ValidateOptions.Overlap.COMPATIBLE;
            case STRICT -> ValidateOptions.Overlap.STRICT;
        }, switch (config.validation().metadataDefaults()) {
            case REFUSED -> ValidateOptions.MetadataDefaults.REFUSED;
            case ALLOWED -> ValidateOptions.MetadataDefaults.ALLOWED;
        }, ValidateOptions.Faults.FIXED);
    }

    static RolloutOptions rollout(Config config) {
        return new RolloutOptions(switch (config.rollout().budget()) {
            case COMPATIBLE -> RolloutOptions.Budget.COMPATIBLE;
            case STRICT -> RolloutOptions.Budget.STRICT;
        }, images(config), RolloutOptions.Faults.FIXED, config.rollout().expectationDeadline());
    }

    private static ImageCompare images(Config config) {
        return switch (config.rollout().imageCompare()) {
            case NORMALIZED -> ImageCompare.NORMALIZED;
            case LITERAL -> ImageCompare.LITERAL;
        };
    }

    static ReconcileOptions reconcile(Config config) {
        return new ReconcileOptions(rollout(config), RevisionOptions.PILLION, config.rollout().parallelWrites(),
                config.status().minInterval());
    }

    static WatchOptions watch(Config config) {
        return new WatchOptions(config.events().consistencyDelay(), switch (config.events().notUpdateStatus()) {
            case LIVE -> WatchOptions.NotUpdateStatus.LIVE;
            case FROZEN -> WatchOptions.NotUpdateStatus.FROZEN;
        }, WatchOptions.Gaps.CLOSED, images(config));
    }

    static LeaseTimes lease(Config config) {
        return new LeaseTimes(config.lease().duration(), config.lease().renew(), config.lease().deadline());
    }

    static RateLimiter.Limits queue(Config config) {
        Config.Queue queue = config.queue();
        return new RateLimiter.Limits(queue.backoffBase(), queue.backoffMax(), queue.rate(), queue.burst());
    }
}
