package dev.pillion.bench;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;

import dev.pillion.bench.CallCost.Effort;
import dev.pillion.match.SetIndex;
import dev.pillion.validate.SetValidator;
import dev.pillion.validate.ValidateOptions;
import dev.pillion.validate.Validation;
import dev.pillion.validate.ValidationRequest;
import dev.pillion.validate.ValidationRequest.Operation;
import dev.pillion.validate.ValidationRequest.Pinned;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** {@code pillion bench validate}: what the write of a set costs, and how that grows with the sets that are there already. */
@Command(name = "validate", mixinStandardHelpOptions = true, description = "CPU and memory of defaulting, validating and hashing a set of 10 containers, alone and beside many other sets.")
final class ValidateBench implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--warm-up", paramLabel = "MILLIS", defaultValue = "4000", description = "CPU time before each measurement, in ms (default: ${DEFAULT-VALUE}).")
    private int warmUpMillis;

    @Option(names = "--round", paramLabel = "MILLIS", defaultValue = "200", description = "CPU time of one round, in ms (default: ${DEFAULT-VALUE}).")
    private int roundMillis;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "11", description = "Rounds of which the median counts (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--sets", paramLabel = "N", split = ",", defaultValue = "100,1000,10000", description = "Sizes of the clusters (default: ${DEFAULT-VALUE}).")
    private List<Integer> sizes = List.of();

    @Override
    public Integer call() {
        Effort effort = new Effort(Duration.ofMillis(warmUpMillis), Duration.ofMillis(roundMillis), rounds);
        PrintWriter out = spec.commandLine().getOut();
        ObjectNode written = SampleSets.tenContainers();
        ObjectNode defaulted = SampleSets.defaulted(written);
        out.println(Machine.describe());
        out.println("| What | CPU per call | Allocated per call |");
        out.println("|---|---|---|");
        out.println(CallCost.of(() -> SampleSets.defaulted(written), effort).row("defaults, both hashes and the patch"));
        out.println(CallCost.of(() -> validate(defaulted, SetIndex.EMPTY), effort).row("validation, no other set"));
        out.println(CallCost.of(() -> validate(SampleSets.defaulted(written), SetIndex.EMPTY), effort).row("all of it"));
        out.flush();
        for (int size : sizes) {
            SetIndex cluster = SampleSets.cluster(size);
            SetIndex.Content changed = SampleSets.oneChanged(cluster);
            out.println(CallCost.of(() -> validate(defaulted, cluster), effort)
                    .row(String.format(Locale.ROOT, "validation beside %,d sets, 3 sharing a name", size)));
            out.println(CallCost.of(() -> cluster.next(changed), effort)
                    .row(String.format(Locale.ROOT, "a new index after a change of one of %,d sets", size)));
            out.println(CallCost.of(() -> validate(defaulted, cluster.next(changed)), effort)
                    .row("the same, and the first validation with it"));
            out.flush();
        }
        return 0;
    }

    /** What is measured must be an accepted set, so that the conflict check takes place. */
    static Validation validate(ObjectNode set, SetIndex index) {
        Validation validation = SetValidator.validate(
                new ValidationRequest(Operation.CREATE, set, Optional.empty(), Pinned.FOUND, Optional.empty(), "kruise-system"), index,
                ValidateOptions.PILLION);
        if (!validation.isAccepted()) {
            throw new IllegalStateException("the sample is refused: " + validation.faults());
        }
        return validation;
    }
}
