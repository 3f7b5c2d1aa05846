package dev.pillion;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

import dev.pillion.api.Json;

/** The import table of the layout and the habits that a machine can check. A new dependency edge starts with a change of {@link #ROWS}. */
class ArchitectureTest {
    private static final String BASE = "dev.pillion";
    private static final Set<String> PURE = Set.of("expr", "api", "match", "revision", "podmeta", "validate", "inject", "rollout",
            "explain", "check");
    private static final Set<String> L1 = Set.of("match", "revision", "podmeta", "validate", "inject", "rollout", "explain");
    private static final Set<String> L2 = Set.of("kube", "bus");
    private static final Set<String> L3 = Set.of("queue", "shard", "watch", "reconcile", "startup", "admission", "certs", "metrics");
    private static final Set<String> ALONE = Set.of("sandbox", "sim");

    /** Libraries by the word the table uses; each value lists package prefixes, separated by blanks. */
    private enum Lib {
        TREE("tools.jackson.core tools.jackson.databind"), RE2("com.google.re2j"), //
        MODEL("io.fabric8.kubernetes.api.model io.fabric8.kubernetes.model"), ANNOTATIONS("com.fasterxml.jackson.annotation"), //
        CLIENT("io.fabric8.kubernetes"), JACKSON("tools.jackson.core tools.jackson.databind"), YAML(
                "tools.jackson org.snakeyaml.engine"), //
        EVENT_BUS("io.vertx.core.eventbus io.vertx.core.buffer"), VERTX("io.vertx.core"), WEB("io.vertx.ext.web"), //
        MICROMETER("io.micrometer io.prometheus"), BOUNCY("org.bouncycastle"), PICOCLI("picocli"), //
        JSON_PATCH("io.fabric8.zjsonpatch"), LOGBACK("ch.qos.logback"), MANAGEMENT(
                "com.sun.management");

        private final String prefixes;

        Lib(String prefixes) {
            this.prefixes = prefixes;
        }

        boolean holds(String className) {
            return Stream.of(prefixes.split(" ")).anyMatch(p -> className.startsWith(p + "."));
        }
    }

    /**
     * What a package may import besides java.*, JSpecify, SLF4J and itself.
     *
     * @param verticleOnly libraries that only classes named *Verticle may use
     */
    private record Row(String name, Set<String> ours, Set<Lib> libs, Set<Lib> verticleOnly) {
    }

    private static final List<Row> ROWS = List.of(pure("expr"), pure("api", Set.of("expr"), Set.of(Lib.MODEL, Lib.ANNOTATIONS)),
            pure("match"), pure("revision"), pure("podmeta"), pure("validate", Set.of("revision"), Set.of()),
            pure("inject", Set.of("revision", "podmeta"), Set.of()), pure("rollout", Set.of("revision", "podmeta"), Set.of()),
            pure("explain", L1, Set.of()),
            // A judge of whole clusters: it needs sentences of explain, and explain must not need it.
            pure("check", L1, Set.of()), row("kube", Set.of("podmeta"), Set.of(Lib.CLIENT, Lib.JACKSON)),
            row("bus", Set.of(), Set.of(Lib.EVENT_BUS)), verticles("queue", Set.of("bus", "metrics"), Set.of(Lib.VERTX)),
            verticles("shard", Set.of("bus", "kube", "metrics"), Set.of(Lib.VERTX)),
            verticles("watch", Set.of("bus", "kube", "metrics", "revision"), Set.of(Lib.VERTX)),
            verticles("reconcile", Set.of("bus", "kube", "rollout", "revision", "podmeta", "explain", "metrics"), Set.of(Lib.VERTX)),
            // Its Pods are queued by the rules of the sets' queue.
            new Row("startup", with(Set.of("bus", "kube", "metrics", "queue")), Set.of(Lib.TREE), Set.of(Lib.VERTX)),
            row("admission", Set.of("bus", "inject", "validate", "revision", "explain", "metrics", "kube"),
                    Set.of(Lib.VERTX, Lib.WEB, Lib.JACKSON)),
            new Row("certs", with(Set.of("bus", "kube", "metrics")), Set.of(Lib.BOUNCY), Set.of(Lib.VERTX)),
            row("metrics", Set.of("bus"), Set.of(Lib.MICROMETER, Lib.VERTX, Lib.WEB)), row("config", Set.of(), Set.of(Lib.YAML)),
            new Row("sandbox", Set.of(), Set.of(Lib.VERTX, Lib.WEB, Lib.JACKSON, Lib.YAML, Lib.BOUNCY), Set.of()),
            new Row("sim", Set.of(), Set.of(Lib.CLIENT), Set.of()),
            row("cli", union(L1, L2, Set.of("config", "check")), Set.of(Lib.PICOCLI, Lib.YAML, Lib.JSON_PATCH)),
            new Row("demo", all("app"), Set.of(Lib.values()), Set.of()), new Row("bench", all("app"), Set.of(Lib.values()), Set.of()),
            new Row("app", all(), Set.of(Lib.values()), Set.of()));

    /** The one class of kube that may use Vert.x: it makes the client's own, whose number of event loops decides what a request costs. */
    private static final String TRANSPORT = "dev.pillion.kube.ClientTransport";

    private static JavaClasses product = new ClassFileImporter().importClasses(List.of());

    private static Row pure(String name) {
        return pure(name, Set.of(), Set.of());
    }

    private static Row pure(String name, Set<String> ours, Set<Lib> libs) {
        Set<String> below = name.equals("expr") ? Set.of() : name.equals("api") ? Set.of("expr") : Set.of("expr", "api", "match");
        return new Row(name, union(below, ours), union(Set.of(Lib.TREE, Lib.RE2), libs), Set.of());
    }

    private static Row row(String name, Set<String> ours, Set<Lib> libs) {
        return new Row(name, with(ours), libs, Set.of());
    }

    private static Row verticles(String name, Set<String> ours, Set<Lib> libs) {
        return new Row(name, with(ours), Set.of(), libs);
    }

    private static Set<String> with(Set<String> ours) {
        return union(Set.of("expr", "api", "match"), ours);
    }

    private static Set<String> all(String... but) {
        Set<String> names = new TreeSet<>(union(PURE, L2, L3, ALONE));
        names.addAll(Set.of("config", "cli", "demo", "bench", "app"));
        names.removeAll(Set.of(but));
        return names;
    }

    @SafeVarargs
    private static <T> Set<T> union(Set<T>... sets) {
        Set<T> all = new HashSet<>();
        for (Set<T> set : sets) {
            all.addAll(set);
        }
        return Set.copyOf(all);
    }

    @BeforeAll
    static void readClasses() throws Exception {
        product = new ClassFileImporter().importPath(Path.of(Json.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
    }

    @Test
    void everyPackageHasItsRow() {
        List<String> rows = ROWS.stream().map(Row::name).toList();
        assertThat(product).isNotEmpty();
        assertThat(product.stream().map(ArchitectureTest::packageOf).distinct()).isSubsetOf(rows);
    }

    @TestFactory
    Stream<DynamicTest> packagesImportOnlyWhatTheTableAllows() {
        return ROWS.stream().map(row -> DynamicTest.dynamicTest(row.name, () -> check(onlyImports(row))));
    }

    private static ArchRule onlyImports(Row row) {
        return classes().that(describe("reside in " + row.name, c -> packageOf(c).equals(row.name)))
                .should(new ArchCondition<JavaClass>("import only what the table allows") {
                    @Override
                    public void check(JavaClass origin, ConditionEvents events) {
                        origin.getDirectDependenciesFromSelf().stream().filter(d -> !isAllowed(row, origin, d.getTargetClass()))
                                .forEach(d -> events.add(SimpleConditionEvent.violated(d, d.getDescription())));
                    }
                });
    }

    private static boolean isAllowed(Row row, JavaClass origin, JavaClass found) {
        JavaClass target = found.getBaseComponentType();
        String name = target.getName();
        if (target.isPrimitive() || Stream.of("java.", "org.jspecify.", "org.slf4j.").anyMatch(name::startsWith)) {
            return true;
        }
        if (name.startsWith("javax.") && !PURE.contains(row.name)) {
            return true;
        }
        if (name.startsWith(BASE + ".")) {
            String to = packageOf(target);
            boolean kubePort = !row.name.equals("admission") || !to.equals("kube") || target.getSimpleName().equals("LiveReads");
            return to.equals(row.name) || (row.ours.contains(to) && kubePort);
        }
        boolean transport = outermost(origin).getName().equals(TRANSPORT) && uses(Set.of(Lib.VERTX, Lib.WEB), name);
        return uses(row.libs, name) || transport || (isVerticle(origin) && uses(row.verticleOnly, name));
    }

    private static boolean uses(Set<Lib> libs, String className) {
        return libs.stream().anyMatch(l -> l.holds(className));
    }

    private static boolean isVerticle(JavaClass c) {
        return outermost(c).getSimpleName().endsWith("Verticle");
    }

    private static JavaClass outermost(JavaClass c) {
        return c.getEnclosingClass().map(ArchitectureTest::outermost).orElse(c);
    }

    private static String packageOf(JavaClass c) {
        String rest = c.getPackageName().substring(Math.min(c.getPackageName().length(), BASE.length() + 1));
        return rest.isEmpty() ? rest : rest.split("\\.", 2)[0];
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching(BASE + ".(*)..").should().beFreeOfCycles());
    }

    @Test
    void namesSayWhatAClassIs() {
        check(noClasses().should().haveSimpleNameEndingWith("Util").orShould().haveSimpleNameEndingWith("Helper").orShould()
                .haveSimpleNameEndingWith("Manager").orShould().haveSimpleNameEndingWith("Processor").orShould()
                .haveSimpleNameEndingWith("Impl"));
    }

    @Test
    void staticFieldsDoNotChange() {
        check(fields().that(describe("are static and written in the source", ArchitectureTest::isWrittenStatic))
                .should(new ArchCondition<JavaField>("be final and of an unchangeable type") {
                    @Override
                    public void check(JavaField field, ConditionEvents events) {
                        boolean fixed = field.getModifiers().contains(JavaModifier.FINAL) && !isChangeable(field);
                        events.add(new SimpleConditionEvent(field, fixed, field.getDescription()));
                    }
                }));
    }

    private static boolean isWrittenStatic(JavaField field) {
        return field.getModifiers().contains(JavaModifier.STATIC) && !field.getModifiers().contains(JavaModifier.SYNTHETIC)
                && !field.getName().startsWith("$");
    }

    /** A private array that nobody writes is the one tolerated form; declared collections must be the interfaces that of() returns. */
    private static boolean isChangeable(JavaField field) {
        JavaClass type = field.getRawType();
        if (type.isArray()) {
            return !field.getModifiers().contains(JavaModifier.PRIVATE);
        }
        boolean atomic = Stream.of(AtomicBoolean.class, AtomicInteger.class, AtomicLong.class, AtomicReference.class, ThreadLocal.class)
                .anyMatch(type::isAssignableTo);
        boolean concrete = !type.isInterface() && (type.isAssignableTo(Collection.class) || type.isAssignableTo(Map.class));
        return atomic || concrete || type.isAssignableTo(java.util.concurrent.ConcurrentMap.class);
    }

    @Test
    void onlyAppReadsTheEnvironment() {
        check(noClasses().that(describe("reside outside app", c -> !packageOf(c).equals("app")))
                .should(call("read the environment",
                        a -> a.getTargetOwner().isEquivalentTo(System.class) && a.getName().equals("getenv"))));
    }

    @Test
    void onlyShellsKnowTheVertxObject() {
        Set<String> shells = Set.of("app", "sandbox", "demo", "bench");
        check(noClasses().that(describe("are no verticle and no shell",
                c -> !isVerticle(c) && !shells.contains(packageOf(c)) && !outermost(c).getName().equals(TRANSPORT))).should()
                .dependOnClassesThat().haveFullyQualifiedName("io.vertx.core.Vertx"));
    }

    @Test
    void jackson2IsThereForAnnotationsOnly() {
        check(noClasses().should().dependOnClassesThat(describe("are Jackson 2 beyond its annotations",
                c -> c.getName().startsWith("com.fasterxml.jackson.") && !c.getName().startsWith("com.fasterxml.jackson.annotation."))));
    }

    @Test
    void vertxJsonIsNotUsed() {
        check(noClasses().should().dependOnClassesThat().resideInAPackage("io.vertx.core.json.."));
    }

    @Test
    void onlyDemoBenchAndAppImportSandboxAndSimulators() {
        Set<String> users = Set.of("demo", "bench", "app", "sandbox", "sim");
        check(noClasses().that(describe("are not among the users", c -> !users.contains(packageOf(c)))).should().dependOnClassesThat()
                .resideInAnyPackage(BASE + ".sandbox..", BASE + ".sim.."));
    }

    @Test
    void nothingImportsApp() {
        check(noClasses().that(describe("reside outside app", c -> !packageOf(c).equals("app"))).should().dependOnClassesThat()
                .resideInAPackage(BASE + ".app.."));
    }

    @Test
    void pureCodeHasNoFilesSocketsAndThreads() {
        Set<String> ioTypes = Set.of("java.io.File", "java.io.FileInputStream", "java.io.FileOutputStream", "java.io.RandomAccessFile",
                "java.lang.Thread", "java.util.Timer", "java.util.Random", "java.time.Clock");
        Set<String> ioPrefixes = Set.of("java.nio.file.", "java.nio.channels.", "java.net.http.", "java.net.Socket",
                "java.net.ServerSocket",
                "java.util.concurrent.Executor", "java.util.concurrent.ForkJoin", "java.util.concurrent.CompletableFuture",
                "java.util.concurrent.locks.");
        check(noClasses().that(describe("are pure", c -> PURE.contains(packageOf(c)))).should().dependOnClassesThat(
                describe("touch files, sockets, threads or clocks",
                        c -> ioTypes.contains(c.getName()) || ioPrefixes.stream().anyMatch(c.getName()::startsWith))));
    }

    /** The clock is a parameter, so no test sleeps: only the shells that wire things may ask the machine for the time. */
    @Test
    void timeIsAParameter() {
        Set<String> without = union(PURE, Set.of("bus", "queue", "shard", "watch", "reconcile", "startup", "certs"));
        check(noClasses().that(describe("get their clock as a parameter", c -> without.contains(packageOf(c))))
                .should(call("ask the machine for the time", ArchitectureTest::readsMachineTime)));
    }

    private static boolean readsMachineTime(JavaAccess<?> access) {
        JavaClass owner = access.getTargetOwner();
        boolean system = owner.isEquivalentTo(System.class) && Set.of("nanoTime", "currentTimeMillis").contains(access.getName());
        boolean clock = owner.getName().startsWith("java.time.") && Set.of("now", "system", "systemUTC", "tick").contains(access.getName());
        return system || clock;
    }

    private static ArchCondition<JavaClass> call(String what, Predicate<JavaAccess<?>> forbidden) {
        return new ArchCondition<>(what) {
            @Override
            public void check(JavaClass origin, ConditionEvents events) {
                List<JavaAccess<?>> accesses = new ArrayList<>(origin.getMethodCallsFromSelf());
                accesses.addAll(origin.getMethodReferencesFromSelf());
                accesses.forEach(a -> events.add(new SimpleConditionEvent(a, forbidden.test(a), a.getDescription())));
            }
        };
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(product);
    }

    /** The rules above see real violations: each is tried on a class of this test that breaks it. */
    @Test
    void rulesBite() {
        JavaClasses wrong = new ClassFileImporter().importClasses(Offender.class);
        Row expr = ROWS.getFirst();
        assertThat(isAllowed(expr, wrong.get(Offender.class), new ClassFileImporter().importClass(io.vertx.core.Vertx.class))).isFalse();
        assertThat(isAllowed(expr, wrong.get(Offender.class), new ClassFileImporter().importClass(dev.pillion.bus.Addresses.class)))
                .isFalse();
        assertThat(wrong.get(Offender.class).getMethodCallsFromSelf()).anyMatch(ArchitectureTest::readsMachineTime);
        assertThat(wrong.get(Offender.class).getFields()).filteredOn(ArchitectureTest::isWrittenStatic).isNotEmpty()
                .allMatch(ArchitectureTest::isChangeable);
    }

    private static final class Offender {
        static final AtomicLong COUNTER = new AtomicLong();

        private final long made = COUNTER.addAndGet(System.nanoTime());

        @Override
        public String toString() {
            return "made at " + made;
        }
    }
}
