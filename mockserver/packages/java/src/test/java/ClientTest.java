import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.rehearsalsdk.testing.Arrivals;
import io.github.rehearsalsdk.testing.ArrivingRow;
import io.github.rehearsalsdk.testing.ArrivingRows;
import io.github.rehearsalsdk.testing.ControlException;
import io.github.rehearsalsdk.testing.JournalEntry;
import io.github.rehearsalsdk.testing.LintError;
import io.github.rehearsalsdk.testing.Lints;
import io.github.rehearsalsdk.testing.Rehearsed;
import io.github.rehearsalsdk.testing.Scope;
import io.github.rehearsalsdk.testing.Server;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The extension as users have it: by Maven, from a repository. */
@Rehearsed(now = "2026-03-15T12:00:00Z")
class ClientTest {
    static final Instant NOON = Instant.parse("2026-03-15T12:00:00Z");
    static final HttpClient HTTP = HttpClient.newHttpClient();

    static HttpResponse<String> call(Scope scope, String path, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(scope.url() + path)).header("X-Authorization", scope.companyKey());
        if (body != null) {
            request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        }
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (Exception error) {
            throw new AssertionError(error);
        }
    }

    static HttpResponse<String> create(Scope scope) {
        return call(scope, "/1.0/" + scope.key() + "/export/userbase", "{\"ids\":[\"custom_id\"]}");
    }

    static String member(String name, String json) {
        Matcher found = Pattern.compile("\"" + name + "\":\\s*\"([^\"]*)\"").matcher(json);
        assertTrue(found.find(), json);
        return found.group(1).replace("\\u0026", "&");
    }

    /** A good client: with pauses, to the end, and then the file. */
    static String userbase(Scope scope) throws Exception {
        String identifier = member("requestId", create(scope).body());
        while (true) {
            scope.sleep(Duration.ofSeconds(2));
            String record = call(scope, "/1.0/" + scope.key() + "/export/request/" + identifier, null).body();
            if (record.contains("SUCCESS")) {
                return HTTP.send(HttpRequest.newBuilder(URI.create(member("file_url", record))).build(), BodyHandlers.ofString()).body();
            }
        }
    }

    @Test
    void aGoodClient(Scope scope) throws Exception {
        assertTrue(userbase(scope).startsWith("custom_id"));
        assertEquals(NOON.plusSeconds(2 * scope.count(Map.of("route", "legacy.status"))), scope.now());
        assertEquals(List.of(202), scope.journal(Map.of("route", "userbase")).stream().map(JournalEntry::status).toList());
        assertEquals(List.of("SUCCESS"), scope.exports().stream().map(each -> each.get("status")).toList());
        assertEquals(List.of(), scope.lints());
    }

    @Test
    @Rehearsed(scenario = "error=MAINTENANCE_ERROR;retry-after=30s", allow = "retry_after_ignored")
    void scenarios(Scope scope) {
        assertEquals(NOON, scope.now(), "the class says it");
        assertEquals(503, create(scope).statusCode());
        assertEquals(503, create(scope).statusCode());
        assertEquals("MAINTENANCE_ERROR", scope.journal().get(0).error());
        scope.clearScenarios();
        scope.scenario("error=MAINTENANCE_ERROR", 1, Map.of("stage", "create"));
        assertEquals(503, create(scope).statusCode());
        assertEquals(202, create(scope).statusCode());
        assertEquals(3, scope.count(Map.of("status", "503")));
    }

    @Test
    void rows(Scope scope) throws Exception {
        scope.load("installations", Map.of("install_id", "phone-1", "custom_id", "ada"), Map.of("install_id", "phone-2", "custom_id", "gr\u00e4ce \"\\"));
        scope.show("only");
        String file = userbase(scope);
        assertTrue(file.contains("ada") && file.contains("gr\u00e4ce") && file.lines().count() == 3, file);
        assertTrue(assertThrows(ControlException.class, () -> scope.load("installations", Map.of("install_id", 1))).getMessage().contains("400"));
    }

    @Test
    void clock(Scope scope) {
        scope.advance(Duration.ofMillis(1500));
        scope.advance(Duration.ofMinutes(-1));
        assertEquals(NOON.plusMillis(1500), scope.now());
        scope.setTime(Instant.parse("2026-05-01T00:00:00Z"));
        scope.freeze();
        assertEquals(Instant.parse("2026-05-01T00:00:00Z"), scope.now());
        scope.run(100000);
        assertNotEquals(scope.now(), scope.now());
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @Rehearsed(now = "2026-06-01T00:00:00Z")
    class Inside {
        Scope before;

        @BeforeEach
        void keep(Scope scope) {
            before = scope;
        }

        @Nested
        class Deeper {
            @Test
            void theSameScopeAndServer(Scope scope, Server server) {
                assertSame(before, scope);
                assertSame(Server.shared(), server);
                assertEquals(Instant.parse("2026-06-01T00:00:00Z"), scope.now());
            }
        }
    }

    static final Set<String> KEYS = ConcurrentHashMap.newKeySet();

    @RepeatedTest(20)
    @Execution(ExecutionMode.CONCURRENT)
    void scopesShareNothing(Scope scope) {
        assertTrue(KEYS.add(scope.key()));
        assertAll(() -> assertEquals(List.of(), scope.journal()), () -> assertEquals(List.of(), scope.exports()));
        scope.advance(Duration.ofHours(KEYS.size()));
        create(scope);
        assertEquals(1, scope.count(Map.of()));
    }

    @Test
    void arrivals() throws Exception {
        try (Server server = Server.start("--profiles", "20000")) {
            Scope scope = server.scope();
            scope.freeze(NOON);
            scope.scenario("progress=now;late=1,72h;duplicates=1;skew=1,2h");
            String identifier = member("requestId", call(scope, "/1.0/" + scope.key() + "/export/in-app-campaign/welcome/events", """
                    {"from": "2026-02-15T12:00:00", "to": "2026-03-15T12:00:00", "ids": ["install_id"], "events": ["inapp_shown", "inapp_clicked", "inapp_closed"]}""").body());
            URI link = URI.create(member("file_url", call(scope, "/1.0/" + scope.key() + "/export/request/" + identifier, null).body()));
            List<String> file = HTTP.send(HttpRequest.newBuilder(link).build(), BodyHandlers.ofString()).body().lines().skip(1).toList();
            Arrivals told = scope.arrivals(identifier);
            assertTrue(told.twice().rows() > 1000 && told.missing().rows() > 0 && told.missing().rows() < 1000, "more pages than one, and a sort that ends with the first");
            assertEquals(file.size(), told.rows());
            assertEquals("late=1,72h0m0s;duplicates=1;skew=1,2h0m0s", told.arrival());
            assertEquals(told.missing().examples().stream().map(ArrivingRow::arrivesAt).max(Instant::compareTo).orElseThrow(), told.completeAt());
            for (ArrivingRows some : List.of(told.missing(), told.twice(), told.skewed())) {
                assertEquals(some.rows(), some.examples().size());
                assertEquals(some.rows(), Set.copyOf(some.examples()).size());
            }
            Set<String> inFile = Set.copyOf(file);
            assertTrue(told.twice().examples().stream().allMatch(each -> inFile.contains(each.row())));
            assertTrue(told.missing().examples().stream().noneMatch(each -> inFile.contains(each.row())));
            String refused = assertThrows(ControlException.class, () -> scope.arrivals("no/export")).getMessage();
            assertTrue(refused.contains("400") && refused.contains("one path segment"), refused);
        }
    }

    static void impatient(Scope scope) {
        scope.scenario("error=MAINTENANCE_ERROR;retry-after=30s", 1, Map.of());
        create(scope);
        create(scope);
    }

    /** Not found by its name; the test below runs it. */
    @Rehearsed
    static class Judged {
        @Test
        void fails(Scope scope) {
            impatient(scope);
        }

        @Test
        @Rehearsed(lints = Lints.LOG)
        void isLogged(Scope scope) {
            impatient(scope);
        }

        @Test
        @Rehearsed(allow = "retry_after_ignored")
        void isAllowed(Scope scope) {
            impatient(scope);
        }

        @Test
        void failsOtherwise(Scope scope) {
            create(scope);
            throw new IllegalStateException("mine");
        }
    }

    @Test
    void aLintFailsATest() {
        var events = EngineTestKit.engine("junit-jupiter").selectors(DiscoverySelectors.selectClass(Judged.class)).execute().testEvents();
        Map<String, Throwable> failures = events.failed().stream().collect(Collectors.toMap(event -> event.getTestDescriptor().getDisplayName(),
                event -> event.getRequiredPayload(org.junit.platform.engine.TestExecutionResult.class).getThrowable().orElseThrow()));
        assertEquals(Set.of("fails(Scope)", "failsOtherwise(Scope)"), failures.keySet());
        LintError error = (LintError) failures.get("fails(Scope)");
        assertTrue(error.getMessage().contains("error: retry_after_ignored"), error.getMessage());
        assertEquals("error", error.lints().get(0).severity());
        String reported = events.reportingEntryPublished().stream().map(Object::toString).collect(Collectors.joining("\n"));
        assertTrue(reported.contains("retry_after_ignored") && reported.contains("POST /1.0/test-"), reported);
    }

    @Test
    void aServerOfAnotherVersion() throws Exception {
        for (String version : List.of("", "v1.9.1", "v9.0.1")) {
            HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            byte[] said = ("{\"status\":\"alive\",\"version\":\"" + version + "\"}").getBytes(StandardCharsets.UTF_8);
            other.createContext("/", exchange -> {
                exchange.sendResponseHeaders(200, said.length);
                exchange.getResponseBody().write(said);
                exchange.close();
            });
            other.start();
            URI address = URI.create("http://127.0.0.1:" + other.getAddress().getPort());
            if (version.startsWith("v9")) {
                String refused = assertThrows(IllegalStateException.class, () -> Server.at(address, "")).getMessage();
                assertTrue(refused.contains("is a server of version 9.0.1, and this client is of ") && refused.contains("Take rehearsal-junit 9.0.1, or start a server of "), refused);
            } else {
                Server.at(address, "");
            }
            other.stop(0);
        }
    }

    @Test
    void aRecording(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("recording.json"), "{\"version\": 1, \"began\": \"2026-03-15T12:00:00Z\"}");
        Files.writeString(directory.resolve("000001.request.json"), "{\"ids\": [\"custom_id\"]}");
        Files.writeString(directory.resolve("000001.answer.json"), "{\"requestId\": \"as-recorded\"}");
        Files.writeString(directory.resolve("000001.json"), """
                {"number": 1, "time": "2026-03-15T12:00:00Z", "method": "POST", "path": "/1.0/{{key}}/export/userbase", "credentials": ["X-Authorization"],
                 "request": {"file": "000001.request.json"}, "status": 202, "answer": {"file": "000001.answer.json"},
                 "facts": {"stage": "create", "kind": "userbase", "export": "as-recorded"}}""");
        try (Server server = Server.start("--replay", directory.toString())) {
            assertEquals("{\"requestId\": \"as-recorded\"}", create(server.scope()).body());
        }
    }

    @Test
    void anAddress() {
        try (Server server = Server.start("--control-token", "secret")) {
            Server other = Server.at(URI.create(server.url() + "/"), "secret");
            assertEquals(0, other.scope().count(Map.of()));
            other.close();
            assertTrue(server.control("GET", "health", null, Map.of()).toString().contains("status=alive"));
        }
        assertTrue(assertThrows(IllegalStateException.class, () -> Server.start("--profiles", "none")).getMessage().contains("--profiles"));
    }
}
