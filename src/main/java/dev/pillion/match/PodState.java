package dev.pillion.match;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;

import dev.pillion.api.PodMarks.InPlace;
import dev.pillion.api.PodView;
import dev.pillion.api.PodView.Container;
import dev.pillion.api.PodView.ContainerStatus;
import dev.pillion.api.SidecarContainer;
import dev.pillion.api.SidecarSet;

/** What a Pod's state says to one set: has it the set's containers, and do they run what the spec says. Made once per set version; safe for threads. */
public final class PodState {
    private static final String SCHEME = "://";

    private final String setName;
    private final List<SidecarContainer> containers;
    private final SequencedSet<String> podNames;
    private final ImageCompare compare;
    private final ParsedImages images = new ParsedImages();

    private PodState(SidecarSet set, ImageCompare compare) {
        this.setName = set.name();
        this.containers = set.containers();
        SequencedSet<String> names = new LinkedHashSet<>();
        containers.forEach(c -> names.addAll(c.podNames()));
        this.podNames = Collections.unmodifiableSequencedSet(names);
        this.compare = compare;
    }

    public static PodState of(SidecarSet set, ImageCompare compare) {
        return new PodState(set, compare);
    }

    /** The set's sidecar names (rollout.md 0): regular containers by their pod names, both twins of hot ones. */
    public SequencedSet<String> podNames() {
        return podNames;
    }

    /** Rule 2.4. Compatible: a name found only among the init containers counts (trap s). */
    public boolean hasContainers(PodView pod) {
        for (SidecarContainer container : containers) {
            if (container.isHot() && !pod.marks().working().containsKey(container.name())) {
                return false;
            }
            for (String name : container.podNames()) {
                if (!hasContainer(pod.containers(), name) && !hasContainer(pod.initContainers(), name)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean hasContainer(List<Container> list, String name) {
        for (Container container : list) {
            if (container.name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** Rule 4.3 for all sidecar names. */
    public boolean isConsistent(PodView pod) {
        return isConsistent(pod, podNames);
    }

    /**
     * Rule 4.3 for some names; no names stand for all of them.
     * <ol>
     * <li>As many container statuses as containers.
     * <li>Containers in order: an image without digest ends the walk; one with a digest must equal the reported image id.
     * <li>Met an image without digest: no container may still report the image id from before the upgrade with another image text.
     * </ol>
     * Compatible: a digest image behind a tag image is not compared by digest (trap h).
     */
    public boolean isConsistent(PodView pod, Set<String> names) {
        Set<String> looked = names.isEmpty() ? podNames : names;
        if (pod.containers().size() != pod.statuses().size()) {
            return false;
        }
        for (Container container : pod.containers()) {
            if (!looked.contains(container.name())) {
                continue;
            }
            if (!images.isDigestReference(container.image())) {
                return hasLeftOldImages(pod, looked);
            }
            Optional<ContainerStatus> status = status(pod, container.name());
            if (status.isEmpty()) {
                return false;
            }
            switch (digestVerdict(container.image(), status.get().imageId())) {
                case DIFFERENT -> {
                    return false;
                }
                case UNDECIDED -> {
                    return hasLeftOldImages(pod, looked);
                }
                case EQUAL -> {
                }
            }
        }
        return true;
    }

    private enum DigestVerdict {
        EQUAL, DIFFERENT, UNDECIDED
    }

    private DigestVerdict digestVerdict(String image, String imageId) {
        String id = withoutScheme(imageId);
        Optional<ImageReference> wanted = images.written(image);
        Optional<ImageReference> found = images.written(id);
        if (compare == ImageCompare.NORMALIZED) {
            if (id.startsWith("sha256:")) {
                return DigestVerdict.UNDECIDED; // trap C: a bare id says nothing about the digest of the reference
            }
            wanted = images.normalized(image);
            found = images.normalized(id);
        }
        return wanted.isPresent() && found.isPresent() && wanted.get().isSameImage(found.get())
                ? DigestVerdict.EQUAL
                : DigestVerdict.DIFFERENT;
    }

    private static String withoutScheme(String imageId) {
        int first = imageId.indexOf(SCHEME);
        if (first < 0) {
            return imageId;
        }
        String rest = imageId.substring(first + SCHEME.length());
        int second = rest.indexOf(SCHEME);
        return second < 0 ? rest : rest.substring(0, second);
    }

    /** Steps 4 to 6 of rule 4.3. */
    private boolean hasLeftOldImages(PodView pod, Set<String> looked) {
        return switch (pod.marks().inPlace()) {
            case InPlace.Absent _ -> true;
            case InPlace.Unreadable _ -> false;
            case InPlace.States(var lastImageIds) -> {
                Map<String, String> last = lastImageIds.getOrDefault(setName, Map.of());
                for (ContainerStatus status : pod.statuses()) {
                    String before = looked.contains(status.name()) ? last.get(status.name()) : null;
                    if (before != null && before.equals(status.imageId()) && !sameText(specImage(pod, status.name()), status.image())) {
                        yield false;
                    }
                }
                yield true;
            }
        };
    }

    private boolean sameText(String spec, String status) {
        if (spec.equals(status)) {
            return true;
        }
        if (compare == ImageCompare.LITERAL) {
            return false;
        }
        Optional<ImageReference> wanted = images.normalized(spec);
        return wanted.isPresent() && wanted.equals(images.normalized(status));
    }

    private static String specImage(PodView pod, String name) {
        for (Container container : pod.containers()) {
            if (container.name().equals(name)) {
                return container.image();
            }
        }
        return "";
    }

    /** The first status of a container of this name. */
    public static Optional<ContainerStatus> status(PodView pod, String name) {
        for (ContainerStatus status : pod.statuses()) {
            if (status.name().equals(name)) {
                return Optional.of(status);
            }
        }
        return Optional.empty();
    }
}
