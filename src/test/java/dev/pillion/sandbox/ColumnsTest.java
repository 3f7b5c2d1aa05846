package dev.pillion.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

/** What kubectl's columns are made of. */
final class ColumnsTest {

    @ParameterizedTest
    @CsvSource({"0,0s", "119,119s", "120,2m", "125,2m5s", "600,10m", "659,10m", "10799,179m", "10800,3h", "12000,3h20m", "28800,8h",
            "172799,47h",
            "172800,2d", "180000,2d2h", "691200,8d", "63072000,2y", "63158400,2y1d", "252288000,8y", "-5,<invalid>", "-1,0s"})
    void agesHaveTwoUnitsWhileTheyAreSmall(long seconds, String text) {
        assertThat(Ages.text(Duration.ofSeconds(seconds))).isEqualTo(text);
    }

    @Test
    void agesOfOddTimeStamps() {
        assertThat(Ages.since("", Instant.EPOCH)).isEqualTo("<unknown>");
        assertThat(Ages.since("yesterday", Instant.EPOCH)).isEqualTo("<invalid>");
        assertThat(Ages.since("1969-12-31T23:59:00.5Z", Instant.EPOCH)).isEqualTo("59s");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '#', value = {".a.b|[1]", ".a['x.y']|[2]", ".a.x\\.y|[2]", ".l[1].n|[\"two\"]",
            ".l[*].n|[\"one\",\"two\"]",
            ".l[?(@.n==\"two\")].v|[4]", ".none|[]", ".l[7]|[]", ".l[?(@.n==\"three\")].v|[]", "a.b|[1]", ".a[|[]", ".z|[]"})
    void pathsOfPrinterColumns(String path, String found) {
        JsonNode object = Trees.MAPPER.readTree(
                "{\"a\":{\"b\":1,\"x.y\":2},\"z\":null,\"l\":[{\"n\":\"one\",\"v\":3},{\"n\":\"two\",\"v\":4}]}");

        assertThat(new PrinterPath(path).find(object).toString().replace(", ", ",")).isEqualTo(found);
    }

    @Test
    void aTerminatingPodSaysSoUnlessItIsOver() {
        assertThat(PodCells.status(pod("{\"metadata\":{\"deletionTimestamp\":\"x\"},\"status\":{\"phase\":\"Running\"}}")))
                .isEqualTo("Terminating");
        assertThat(PodCells.status(pod("{\"metadata\":{\"deletionTimestamp\":\"x\"},\"status\":{\"phase\":\"Failed\"}}")))
                .isEqualTo("Failed");
        assertThat(PodCells
                .status(pod("{\"metadata\":{\"deletionTimestamp\":\"x\"},\"status\":{\"phase\":\"Running\",\"reason\":\"NodeLost\"}}")))
                .isEqualTo("Unknown");
    }

    @Test
    void oneEndedContainerBesideARunningOneIsNotTheEnd() {
        String containers = "\"containerStatuses\":[{\"name\":\"a\",\"state\":{\"terminated\":{\"reason\":\"Completed\",\"exitCode\":0}}},"
                + "{\"name\":\"b\",\"ready\":true,\"state\":{\"running\":{}}}]";

        assertThat(PodCells.status(pod("{\"status\":{\"phase\":\"Running\"," + containers + "}}"))).isEqualTo("NotReady");
        assertThat(PodCells.status(
                pod("{\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]," + containers + "}}")))
                .isEqualTo("Running");
    }

    @Test
    void unknownTypesShowNameAndCreation() {
        assertThat(KindColumns.of("roles.rbac.authorization.k8s.io")).extracting(Column::name).isEqualTo(List.of("Name", "Created At"));
    }

    private static JsonNode pod(String json) {
        return Trees.MAPPER.readTree(json);
    }
}
