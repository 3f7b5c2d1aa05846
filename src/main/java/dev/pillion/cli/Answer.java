package dev.pillion.cli;

import java.io.IOException;
import java.io.PrintWriter;

import dev.pillion.kube.KubeException;

import picocli.CommandLine;

/** The outer shell of every command: what goes wrong through the user or the cluster becomes one line and an exit code. */
final class Answer {
    /** The command itself. */
    interface Work {
        /** Does it, and answers the exit code. */
        int run(PrintWriter out, PrintWriter err) throws IOException;
    }

    private Answer() {
    }

    static int of(CommandLine command, Work work) {
        PrintWriter err = command.getErr();
        try {
            int code = work.run(command.getOut(), err);
            command.getOut().flush();
            return code;
        } catch (InputFault e) {
            err.println("pillion: " + e.getMessage());
            return Exit.USAGE;
        } catch (IOException e) {
            err.println("pillion: " + e);
            return Exit.USAGE;
        } catch (KubeException e) {
            err.println("pillion: " + e.getMessage());
            return isRefusal(e) ? Exit.REFUSED : Exit.UNAVAILABLE;
        } finally {
            err.flush();
        }
    }

    /** The server understood and said no: to a write that breaks a rule, or that someone else's write came before. */
    private static boolean isRefusal(KubeException e) {
        return e.code() == 400 || e.code() == 403 || e.code() == 409 || e.code() == 422 || e.isStoppedByWebhook();
    }
}
