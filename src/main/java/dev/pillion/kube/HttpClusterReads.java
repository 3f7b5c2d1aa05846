package dev.pillion.kube;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.pillion.api.LabelSelector;
import dev.pillion.api.PodView;
import dev.pillion.api.Revision;
import dev.pillion.api.SidecarSet;
import dev.pillion.api.Wire;
import dev.pillion.match.NamespaceView;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** {@link ClusterReads} over the raw API: lists stream page by page, so many big Pods need little memory. */
final class HttpClusterReads implements ClusterReads {
    private static final int PAGE = 500;
    private static final int BAD_REQUEST = 400;
    private static final int GONE = 410;
    private static final int NOT_FOUND = 404;
    private static final int INTERNED = 1 << 14;

    private final RawApi api;
    private final HttpObjects objects;
    private final String namespace;

    HttpClusterReads(RawApi api, String namespace) {
        this.api = api;
        this.objects = new HttpObjects(api);
        this.namespace = namespace;
    }

    @Override
    public List<SidecarSet> sets() {
        try {
            return trees(KubeObjects.SETS + "?", SidecarSet::of);
        } catch (KubeException e) {
            if (e.code() == NOT_FOUND) {
                throw new KubeException(NOT_FOUND, "NotFound", false,
                        "the API server serves no SidecarSets: apply their CustomResourceDefinition first");
            }
            throw e;
        }
    }

    @Override
    public Optional<SidecarSet> set(String name) {
        return read(KubeObjects.SETS + "/" + RawApi.encode(name)).map(SidecarSet::of);
    }

    @Override
    public List<NamespaceView> namespaces() {
        return trees("/api/v1/namespaces?", KubeObjects::namespace);
    }

    @Override
    public List<Revision> revisions() {
        return trees(KubeObjects.revisions(namespace) + "?labelSelector=" + RawApi.encode(Wire.SET_NAME_LABEL) + "&",
                KubeObjects::revision);
    }

    @Override
    public Optional<String> whitelist() {
        return read(KubeObjects.configMaps(namespace) + "/" + Wire.CONFIG_MAP).flatMap(c -> KubeObjects.configuration(c).whitelist());
    }

    @Override
    public List<PodView> pods(LabelSelector selector) {
        try {
            return list("/api/v1/pods?labelSelector=" + RawApi.encode(query(selector)) + "&", podReader());
        } catch (KubeException e) {
            if (e.code() != BAD_REQUEST) {
                throw e;
            }
            // Stored before the webhooks ran, or with an operator nobody knows: the caller judges each Pod itself.
            return list("/api/v1/pods?", podReader());
        }
    }

    private static PodViewReader podReader() {
        return new PodViewReader(new Interner(INTERNED));
    }

    /** The selector as the query parameter of a list. */
    static String query(LabelSelector selector) {
        List<String> terms = new ArrayList<>();
        selector.matchLabels().forEach((key, value) -> terms.add(key + "=" + value));
        for (LabelSelector.Requirement item : selector.matchExpressions()) {
            String values = " (" + String.join(",", item.values()) + ")";
            terms.add(switch (item.operator()) {
                case "In" -> item.key() + " in" + values;
                case "NotIn" -> item.key() + " notin" + values;
                case "DoesNotExist" -> "!" + item.key();
                default -> item.key();
            });
        }
        return String.join(",", terms);
    }

    @Override
    public Optional<ObjectNode> pod(String podNamespace, String name) {
        return read("/api/v1/namespaces/" + RawApi.encode(podNamespace) + "/pods/" + RawApi.encode(name));
    }

    @Override
    public List<ObjectNode> events(String eventNamespace) {
        return trees("/apis/events.k8s.io/v1/namespaces/" + RawApi.encode(eventNamespace) + "/events?", e -> e);
    }

    @Override
    public List<ObjectNode> mutatingWebhookConfigurations() {
        return trees("/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations?", c -> c);
    }

    @Override
    public <T> List<T> all(String apiVersion, String kind, Function<ObjectNode, T> shortened) {
        return trees(objects.listPath(apiVersion, kind, "") + "?", shortened);
    }

    private Optional<ObjectNode> read(String path) {
        try {
            return Optional.of(api.getTree(path));
        } catch (KubeException e) {
            if (e.code() == NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private <T> List<T> trees(String query, Function<ObjectNode, T> decode) {
        return list(query, new TreeReader<>(decode));
    }

    /** A page that has expired starts the list anew, once. */
    private <T> List<T> list(String query, ObjectReader<T> reader) {
        try {
            return pages(query, reader);
        } catch (KubeException e) {
            if (e.code() != GONE) {
                throw e;
            }
            return pages(query, reader);
        }
    }

    private <T> List<T> pages(String query, ObjectReader<T> reader) {
        List<T> all = new ArrayList<>();
        String next = "";
        do {
            String path = query + "limit=" + PAGE + (next.isEmpty() ? "" : "&continue=" + RawApi.encode(next));
            try (InputStream in = api.open(path)) {
                next = ListPage.read(new JsonCursor(in), reader, item -> item.value().ifPresent(all::add)).next();
            } catch (IOException | UncheckedIOException | JacksonException e) {
                throw new KubeException(0, "BadAnswer", false, "the API server's list broke off: " + e.getMessage());
            }
        } while (!next.isEmpty());
        return all;
    }
}
