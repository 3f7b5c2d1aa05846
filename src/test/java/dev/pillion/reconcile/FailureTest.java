package dev.pillion.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.pillion.kube.KubeException;

class FailureTest {
    @ParameterizedTest
    @CsvSource({"403,refused", "422,refused", "413,refused", "404,gone", "409,conflict", "0,unavailable", "429,unavailable",
            "500,unavailable", "504,unavailable"})
    void theCodeTells(int code, String word) {
        assertThat(Failure.of(new KubeException(code, "", false, "no")).word()).isEqualTo(word);
    }

    /** A webhook chooses its code as it likes; one that is down gives 500. Neither says anything about the Pod itself. */
    @ParameterizedTest
    @CsvSource({"404", "409", "422", "429", "500", "503"})
    void aWebhooksNoIsARefusalWhateverItsCode(int code) {
        String denied = "admission webhook \"pub.example.com\" denied the request: budget is used up";
        String down = "Internal error occurred: failed calling webhook \"pub.example.com\": failed to call webhook: connection refused";

        assertThat(Failure.of(new KubeException(code, "", false, denied))).isEqualTo(new Failure.Refused(denied));
        assertThat(Failure.of(new KubeException(code, "", false, down))).isEqualTo(new Failure.Refused(down));
    }

    @Test
    void anotherUidIsAnotherPod() {
        assertThat(Failure.of(new KubeException(422, "Invalid", true, "metadata.uid"))).isEqualTo(new Failure.Gone());
    }
}
