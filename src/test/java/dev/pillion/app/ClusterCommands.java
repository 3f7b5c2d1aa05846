package dev.pillion.app;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.pillion.it.Cluster;

import picocli.CommandLine;

/** Runs commands against a cluster as a user would, by kubeconfig. */
record ClusterCommands(Cluster cluster) {

    /** What one call printed and how it ended. */
    record Ended(int code, String out, String err) {
        /** The output of a call that must have succeeded. */
        String ok() {
            if (code != 0) {
                throw new AssertionError("ended with " + code + ": " + err + out);
            }
            return out;
        }
    }

    Ended run(String... arguments) {
        return runAs(cluster.kubeconfig(), arguments);
    }

    /** As the user of another kubeconfig. */
    Ended runAs(Path kubeconfig, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine main = Main.commands(Map.of()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--kubeconfig=" + kubeconfig);
        int code = main.execute(all.toArray(String[]::new));
        return new Ended(code, out.toString(), err.toString());
    }
}
