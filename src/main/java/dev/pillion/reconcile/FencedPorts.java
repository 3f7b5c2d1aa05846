package dev.pillion.reconcile;

import java.util.List;
import java.util.Map;

import dev.pillion.api.PodKey;
import dev.pillion.api.PodView;
import dev.pillion.api.Revision;
import dev.pillion.api.SetStatus;
import dev.pillion.api.SidecarSet;
import dev.pillion.bus.Fence;
import dev.pillion.kube.PodWrites;
import dev.pillion.kube.RevisionWrites;
import dev.pillion.kube.SetWrites;

/** The cluster for one reconcile: asks the fence just before each write, and throws {@link OwnershipLostException} instead of starting it. */
final class FencedPorts {
    private FencedPorts() {
    }

    static KubePorts of(KubePorts kube, Fence fence) {
        return new KubePorts(kube.pods(), new Pods(kube.podWrites(), fence), new Sets(kube.sets(), fence),
                new Revisions(kube.revisions(), fence), kube.events());
    }

    private static void pass(Fence fence) {
        if (!fence.isOpen()) {
            throw new OwnershipLostException();
        }
    }

    private record Pods(PodWrites to, Fence fence) implements PodWrites {
        @Override
        public PodView patch(PodKey pod, String strategicMergePatch) {
            pass(fence);
            return to.patch(pod, strategicMergePatch);
        }

        @Override
        public PodView patchStatus(PodKey pod, String strategicMergePatch) {
            pass(fence);
            return to.patchStatus(pod, strategicMergePatch);
        }

        @Override
        public PodView read(PodKey pod) {
            return to.read(pod);
        }

        @Override
        public Map<String, String> readAnnotations(PodKey pod) {
            return to.readAnnotations(pod);
        }
    }

    private record Sets(SetWrites to, Fence fence) implements SetWrites {
        @Override
        public SidecarSet writeStatus(SidecarSet set, SetStatus status) {
            pass(fence);
            return to.writeStatus(set, status);
        }

        @Override
        public SidecarSet read(String name) {
            return to.read(name);
        }
    }

    private record Revisions(RevisionWrites to, Fence fence) implements RevisionWrites {
        @Override
        public List<Revision> of(String setName) {
            return to.of(setName);
        }

        @Override
        public Revision read(String name) {
            return to.read(name);
        }

        @Override
        public Revision create(Revision revision, SidecarSet owner) {
            pass(fence);
            return to.create(revision, owner);
        }

        @Override
        public Revision renumber(Revision revision, long number) {
            pass(fence);
            return to.renumber(revision, number);
        }

        @Override
        public Revision label(Revision revision, String key, String value) {
            pass(fence);
            return to.label(revision, key, value);
        }

        @Override
        public void delete(Revision revision) {
            pass(fence);
            to.delete(revision);
        }
    }
}
