package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

import dev.pillion.config.Config;
import dev.pillion.config.ConfigReader;
import dev.pillion.config.Reading;

/** The two ways to the container image say the same: the Dockerfile, and Jib in the profile "image". */
final class ImageTest {
    private static final Path DOCKER = Path.of("src", "main", "docker");
    private static final String JIB = "//profile[id='image']//plugin[artifactId='jib-maven-plugin']/configuration/";

    private static List<String> dockerfile(String instruction) throws IOException {
        String whole = Files.readString(DOCKER.resolve("Dockerfile")).replaceAll("\\\\\n\\s*", "");
        return whole.lines().filter(l -> l.startsWith(instruction + " ")).map(l -> l.substring(instruction.length() + 1)).toList();
    }

    private static String pom(String path) throws Exception {
        Document pom = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(Path.of("pom.xml").toFile());
        return XPathFactory.newDefaultInstance().newXPath().evaluate(path, pom);
    }

    @Test
    void itRunsTheLauncherAsNobodyInParticular() throws Exception {
        assertThat(dockerfile("USER")).containsExactly("65532:65532").containsExactly(pom(JIB + "container/user"));
        assertThat(dockerfile("ENTRYPOINT")).containsExactly("[\"/opt/pillion/bin/pillion\"]")
                .containsExactly("[\"" + pom(JIB + "container/entrypoint/entry") + "\"]");
        assertThat(dockerfile("CMD")).containsExactly("[\"run\"]").containsExactly("[\"" + pom(JIB + "container/args/arg") + "\"]");
        assertThat(dockerfile("ENV")).containsExactly("JAVA_HOME=/opt/pillion/runtime")
                .containsExactly("JAVA_HOME=" + pom(JIB + "container/environment/JAVA_HOME"));
    }

    @Test
    void itExposesThePortsOfTheSettings() throws Exception {
        Config defaults = ((Reading.Loaded) ConfigReader.read(Map.of(), Map.of(), "", "")).config();

        assertThat(dockerfile("EXPOSE")).containsExactly(defaults.admission().port() + " " + defaults.metrics().port())
                .containsExactly(pom(JIB + "container/ports/port[1]") + " " + pom(JIB + "container/ports/port[2]"));
    }

    @Test
    void bothStandOnOneBaseAndCarryTheVersionOfTheManifests() throws Exception {
        assertThat(dockerfile("ARG")).contains("BASE=" + pom("//profile[id='image']/properties/image.base"));
        assertThat(dockerfile("FROM")).containsExactly("${JDK} AS build", "${BASE}");
        String version = pom("/project/version");
        assertThat(dockerfile("LABEL").getFirst()).contains("org.opencontainers.image.version=\"" + version + "\"");
        assertThat(Install.base().container().path("image").stringValue()).isEqualTo(
                pom("//profile[id='image']/properties/image.name") + ":" + version);
    }

    @Test
    void theBuildSeesWhatItCopiesAndNothingElse() throws IOException {
        List<String> seen = Files.readAllLines(DOCKER.resolve("Dockerfile.dockerignore"));

        assertThat(seen.getFirst()).isEqualTo("*");
        List<String> copied = dockerfile("COPY").stream().filter(c -> !c.startsWith("--from"))
                .flatMap(c -> Stream.of(c.split(" ", -1)).limit(c.split(" ", -1).length - 1)).map(f -> "!" + f).toList();
        assertThat(seen.subList(1, seen.size())).containsExactlyElementsOf(copied);
        assertThat(dockerfile("COPY").getLast()).isEqualTo("--from=build /opt/pillion /opt/pillion");
    }
}
