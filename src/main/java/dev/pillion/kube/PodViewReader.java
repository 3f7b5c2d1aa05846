package dev.pillion.kube;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.pillion.api.GoTime;
import dev.pillion.api.MarkTexts;
import dev.pillion.api.PodKey;
import dev.pillion.api.PodMarks;
import dev.pillion.api.PodView;
import dev.pillion.api.PodView.Container;
import dev.pillion.api.PodView.ContainerStatus;
import dev.pillion.api.PodView.ReadyCondition;
import dev.pillion.api.PodView.UpgradableCondition;
import dev.pillion.api.Wire;
import dev.pillion.podmeta.MarksCodec;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Fills PodViews from a stream and skips the rest: 24-38 us and 5 KB of garbage per Pod against 39-68 us and 83 KB through the full model
 * (stack.md). Every value of an unexpected kind is skipped whole, above all the null arrays of bookmarks, so the parser never runs out of step.
 * Equal to podmeta.PodViews of the same object. Used by one thread, because of its interner.
 */
final class PodViewReader implements ObjectReader<PodView> {
    /** Longer texts are records with times in them, different in each Pod. */
    private static final int LONGEST_SHARED = 64;

    private final Interner interner;
    private final Function<PodKey, Optional<PodView>> known;

    PodViewReader(Interner interner) {
        this(interner, _ -> Optional.empty());
    }

    /** @param known the view so far: most events of a Pod leave its annotations alone, and their decoded form is then taken from there */
    PodViewReader(Interner interner, Function<PodKey, Optional<PodView>> known) {
        this.interner = interner;
        this.known = known;
    }

    @Override
    public Item<PodView> read(JsonParser parser) {
        PodView view = view(parser);
        PodKey key = view.key();
        return new Item<>(key.toString(), view.resourceVersion(), key.name().isEmpty() ? Optional.empty() : Optional.of(view));
    }

    /** Reads the object the parser stands on; a value of another kind gives a view without name. */
    PodView view(JsonParser parser) {
        Fields pod = new Fields();
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            for (String member = parser.nextName(); member != null; member = parser.nextName()) {
                switch (member) {
                    case "metadata" -> metadata(parser, pod);
                    case "spec" -> spec(parser, pod);
                    case "status" -> status(parser, pod);
                    default -> StreamJson.skip(parser);
                }
            }
        } else {
            parser.skipChildren();
        }
        return pod.view(marks(pod));
    }

    private PodMarks marks(Fields pod) {
        if (pod.marks.isEmpty()) {
            return PodMarks.NONE;
        }
        MarkTexts texts = MarkTexts.of(pod.marks);
        return known.apply(new PodKey(pod.namespace, pod.name)).map(PodView::marks).filter(before -> before.raw().equals(texts))
                .orElseGet(() -> marks(texts, pod.marks));
    }

    /** What texts mean does not rest on the times in them, so the decoded form of other texts of the same shapes will do. */
    private PodMarks marks(MarkTexts texts, Map<String, String> annotations) {
        if (!texts.isShareable()) {
            return MarksCodec.decode(annotations);
        }
        PodMarks first = interner.of(new Decoded(texts.shapes())).marks(() -> shared(MarksCodec.decode(annotations)));
        return first.withRaw(texts.sharing(first.raw()));
    }

    /** Marks of texts of the same shapes, which alone tell one from another. */
    private static final class Decoded {
        private final Map<String, String> shapes;
        private @Nullable PodMarks marks;

        Decoded(Map<String, String> shapes) {
            this.shapes = shapes;
        }

        PodMarks marks(Supplier<PodMarks> decode) {
            PodMarks known = marks == null ? decode.get() : marks;
            marks = known;
            return known;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Decoded decoded && shapes.equals(decoded.shapes);
        }

        @Override
        public int hashCode() {
            return shapes.hashCode();
        }
    }

    private void metadata(JsonParser parser, Fields pod) {
        if (!StreamJson.entersObject(parser)) {
            return;
        }
        for (String member = parser.nextName(); member != null; member = parser.nextName()) {
            switch (member) {
                case "name" -> pod.name = StreamJson.text(parser);
                case "namespace" -> pod.namespace = shared(parser);
                case "uid" -> pod.uid = StreamJson.text(parser);
                case "resourceVersion" -> pod.resourceVersion = StreamJson.text(parser);
                case "creationTimestamp" -> pod.created = GoTime.read(StreamJson.text(parser));
                case "deletionTimestamp" -> pod.deleting = StreamJson.isText(parser);
                case "labels" -> pod.labels = interner.of(Map.copyOf(texts(parser, _ -> true)));
                case "annotations" -> annotations(parser, pod);
                default -> StreamJson.skip(parser);
            }
        }
    }

    private Map<String, String> texts(JsonParser parser, Predicate<String> wanted) {
        Map<String, String> map = new HashMap<>();
        if (!StreamJson.entersObject(parser)) {
            return map;
        }
        for (String member = parser.nextName(); member != null; member = parser.nextName()) {
            if (!wanted.test(member)) {
                StreamJson.skip(parser);
            } else if (parser.nextToken() == JsonToken.VALUE_STRING) {
                String text = parser.getString();
                map.put(interner.of(member), text.length() <= LONGEST_SHARED ? interner.of(text) : text);
            } else {
                parser.skipChildren();
            }
        }
        return map;
    }

    private void annotations(JsonParser parser, Fields pod) {
        Map<String, String> annotations = texts(parser, key -> Wire.isPodMark(key) || key.equals(Wire.LAUNCH_COMPLETED));
        pod.startup.completed(annotations.getOrDefault(Wire.LAUNCH_COMPLETED, ""));
        annotations.remove(Wire.LAUNCH_COMPLETED);
        pod.marks = annotations;
    }

    private PodMarks shared(PodMarks marks) {
        return new PodMarks(interner.of(marks.injectedList()), interner.of(marks.hashes()), interner.of(marks.withoutImage()),
                interner.of(marks.working()), interner.of(marks.inPlace()), marks.raw());
    }

    private void spec(JsonParser parser, Fields pod) {
        if (!StreamJson.entersObject(parser)) {
            return;
        }
        for (String member = parser.nextName(); member != null; member = parser.nextName()) {
            switch (member) {
                case "nodeName" -> pod.nodeName = shared(parser);
                case "containers" -> {
                    pod.startup.noContainers();
                    pod.containers = list(parser, p -> container(p, pod.startup::container));
                }
                case "initContainers" -> pod.initContainers = list(parser, p -> container(p, (_, _) -> {
                }));
                case "readinessGates" -> pod.startup.readinessGates(parser);
                default -> StreamJson.skip(parser);
            }
        }
    }

    private void status(JsonParser parser, Fields pod) {
        if (!StreamJson.entersObject(parser)) {
            return;
        }
        for (String member = parser.nextName(); member != null; member = parser.nextName()) {
            switch (member) {
                case "phase" -> pod.phase = shared(parser);
                case "conditions" -> conditions(parser, pod);
                case "containerStatuses" -> {
                    pod.startup.noStatuses();
                    pod.statuses = list(parser, p -> containerStatus(p, pod.startup::status));
                }
                case "initContainerStatuses" -> pod.initStatuses = list(parser, p -> containerStatus(p, (_, _) -> {
                }));
                default -> StreamJson.skip(parser);
            }
        }
    }

    /** Elements that are no objects are passed over. */
    private <T> List<T> list(JsonParser parser, Function<JsonParser, T> element) {
        if (!StreamJson.entersArray(parser)) {
            return List.of();
        }
        List<T> list = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY && token != null; token = parser.nextToken()) {
            if (token == JsonToken.START_OBJECT) {
                list.add(element.apply(parser));
            } else {
                parser.skipChildren();
            }
        }
        return interner.of(List.copyOf(list));
    }

    private Container container(JsonParser parser, BiConsumer<String, List<String>> barriers) {
        String name = "";
        String image = "";
        String restartPolicy = "";
        List<String> keys = List.of();
        for (String member = parser.nextName(); member != null; member = parser.nextName()) {
            switch (member) {
                case "name" -> name = shared(parser);
                case "image" -> image = shared(parser);
                case "restartPolicy" -> restartPolicy = shared(parser);
                case "env" -> keys = StartupFields.barrierKeys(parser);
                default -> StreamJson.skip(parser);
            }
        }
        if (!keys.isEmpty()) {
            barriers.accept(name, keys);
        }
        return interner.of(new Container(name, image, restartPolicy));
    }

    private ContainerStatus containerStatus(JsonParser parser, BiConsumer<String, StartupFields.State> states) {
        String name = "";
        String image = "";
        String imageId = "";
        boolean ready = false;
        int restarts = 0;
        StartupFields.State state = StartupFields.RUNNING;
        for (String member = parser.nextName(); member != null; member = parser.nextName()) {
            switch (member) {
                case "name" -> name = shared(parser);
                case "image" -> image = shared(parser);
                case "imageID" -> imageId = shared(parser);
                case "ready" -> ready = StreamJson.bool(parser);
                case "restartCount" -> restarts = StreamJson.number(parser);
                case "state" -> state = StartupFields.state(parser);
                default -> StreamJson.skip(parser);
            }
        }
        states.accept(name, state);
        return interner.of(new ContainerStatus(name, image, imageId, ready, restarts));
    }

    /** Only the first Ready condition counts, and the first upgradable one. */
    private void conditions(JsonParser parser, Fields pod) {
        pod.ready = Optional.empty();
        pod.upgradable = Optional.empty();
        pod.startup.noConditions();
        if (!StreamJson.entersArray(parser)) {
            return;
        }
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY && token != null; token = parser.nextToken()) {
            if (token == JsonToken.START_OBJECT) {
                condition(parser, pod);
            } else {
                parser.skipChildren();
            }
        }
    }

    private void condition(JsonParser parser, Fields pod) {
        String type = "";
        String status = "";
        String reason = "";
        String message = "";
        String transition = "";
        String probe = "";
        for (String member = parser.nextName(); member != null; member = parser.nextName()) {
            switch (member) {
                case "type" -> type = StreamJson.text(parser);
                case "status" -> status = shared(parser);
                case "reason" -> reason = shared(parser);
                case "message" -> message = shared(parser);
                case "lastProbeTime" -> probe = StreamJson.text(parser);
                case "lastTransitionTime" -> transition = StreamJson.text(parser);
                default -> StreamJson.skip(parser);
            }
        }
        if (type.equals("Ready") && pod.ready.isEmpty()) {
            pod.ready = Optional.of(new ReadyCondition(status.equals("True"), GoTime.read(transition)));
        } else if (type.equals(Wire.UPGRADABLE_CONDITION) && pod.upgradable.isEmpty()) {
            pod.upgradable = Optional.of(new UpgradableCondition(status, reason, message, transition, probe));
        } else if (type.equals(Wire.READY_GATE)) {
            pod.startup.condition(status, transition, message);
        }
    }

    private String shared(JsonParser parser) {
        return interner.of(StreamJson.text(parser));
    }

    /** What was read so far, with the values of absent members. */
    private static final class Fields {
        private String name = "";
        private String namespace = "";
        private String uid = "";
        private String resourceVersion = "";
        private Map<String, String> labels = Map.of();
        private String nodeName = "";
        private String phase = "";
        private boolean deleting;
        private Optional<Instant> created = Optional.empty();
        private Optional<ReadyCondition> ready = Optional.empty();
        private List<Container> initContainers = List.of();
        private List<Container> containers = List.of();
        private List<ContainerStatus> initStatuses = List.of();
        private List<ContainerStatus> statuses = List.of();
        private Optional<UpgradableCondition> upgradable = Optional.empty();
        private Map<String, String> marks = Map.of();
        private final StartupFields startup = new StartupFields();

        PodView view(PodMarks decoded) {
            return new PodView(new PodKey(namespace, name), uid, resourceVersion, labels, nodeName, phase, deleting, created, ready,
                    initContainers, containers, initStatuses, statuses, upgradable, decoded, startup.startup());
        }
    }
}
