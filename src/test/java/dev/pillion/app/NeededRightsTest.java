package dev.pillion.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.pillion.check.Right;
import dev.pillion.check.Right.Part;
import dev.pillion.check.Right.Where;

import tools.jackson.databind.node.ObjectNode;

/** "pillion check" asks for the rights of the manifests, no more and no less. */
final class NeededRightsTest {
    @Test
    void asksForWhatTheManifestsGive() {
        List<Right> asked = new ArrayList<>();
        Stream.of(Part.values()).map(Right::of).forEach(asked::addAll);

        Stream<ObjectNode> manifests = Stream.concat(Install.base().objects().stream(),
                Install.resources(Install.FOLDER.resolve("components").resolve("outside")).stream());

        assertThat(asked).containsExactlyInAnyOrderElementsOf(Rights.of(manifests).grants().stream().map(NeededRightsTest::right).toList());
    }

    private static Right right(Rights.Grant grant) {
        Optional<String> name = grant.names().stream().findFirst();
        return new Right(grant.role().startsWith("Role ") ? Where.OWN_NAMESPACE : Where.EVERYWHERE, grant.verb(), grant.group(),
                grant.resource(), name.orElse(""));
    }
}
