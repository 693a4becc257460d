import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tests of a client of the export API against the mock, with JDK 17 and nothing else.
 *
 * <pre>MOCKSERVER=/path/to/mockserver java ExportsTest.java</pre>
 *
 * Mock starts the server and owns its clock. Exports is the client under test: put yours in its place. With JUnit, the methods of
 * ExportsTest are tests, and reset and judge come before and after each.
 */
public class ExportsTest {
    static final HttpClient HTTP = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).connectTimeout(Duration.ofSeconds(10)).build();

    /** What a client does to let time pass. */
    interface Sleep {
        void seconds(long seconds) throws IOException, InterruptedException;
    }

    /** A mock server on a free port, with a clock that stands still until it is moved. */
    static final class Mock implements AutoCloseable {
        final String url;
        private final String controlUrl;
        private final String token;
        private final Process process;
        private final Path directory = Files.createTempDirectory("mock");

        Mock(String... flags) throws IOException, InterruptedException {
            Path ready = directory.resolve("ready.json");
            Path log = directory.resolve("log");
            String program = System.getenv().getOrDefault("MOCKSERVER", "mockserver");
            List<String> command = new ArrayList<>(List.of(program, "serve", "--port", "0", "--ready-file", ready.toString(), "--state", "memory"));
            command.addAll(List.of(flags));
            process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroy)); // should nobody close it
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (!Files.exists(ready)) {
                if (!process.isAlive() || System.nanoTime() > deadline) {
                    process.destroy();
                    throw new IllegalStateException("the mock does not start: " + Files.readString(log));
                }
                Thread.sleep(20);
            }
            String content = Files.readString(ready);
            url = member(content, "url");
            controlUrl = member(content, "control_url");
            token = member(content, "control_token");
        }

        /** Calls a path under /_mock/; body may be null. */
        String control(String method, String path, String body) throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(controlUrl + path)).timeout(Duration.ofSeconds(30))
                    .header("Content-Type", "application/json")
                    .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
            if (token != null) {
                request.header("Authorization", "Bearer " + token);
            }
            HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
            check(response.statusCode() < 300, method + " " + path + " answers " + response.statusCode() + ": " + response.body());
            return response.body();
        }

        /** Empties the server and stops its clock. */
        void reset() throws IOException, InterruptedException {
            control("DELETE", "state", null);
            control("DELETE", "journal", null);
            control("POST", "clock", "{\"freeze\":true}");
        }

        /** Takes the place of Thread.sleep: the clock of the server moves, and nobody waits. */
        void sleep(long seconds) throws IOException, InterruptedException {
            control("POST", "clock", "{\"advance\":\"" + seconds + "s\"}");
        }

        @Override
        public void close() throws IOException, InterruptedException {
            process.destroy();
            process.waitFor();
            Files.deleteIfExists(directory.resolve("log"));
            Files.deleteIfExists(directory);
        }
    }

    /** A client of the export API: creates, polls and downloads. */
    static class Exports {
        private static final String[] LEGACY = {"X-Authorization", "rest_demo", "Content-Type", "application/json"};
        private static final String[] PROFILES =
                {"Authorization", "Bearer token_demo", "X-Service-Project", "project_demo", "Content-Type", "application/json"};
        private final String url;
        private final Sleep sleep;

        Exports(String url, Sleep sleep) {
            this.url = url;
            this.sleep = sleep;
        }

        /** Downloads the events of a campaign: the lines of the file, the header first. */
        List<String> campaignEvents(String campaign, String from) throws IOException, InterruptedException {
            String created = send("/1.0/live_demo/export/campaign/" + campaign + "/events", LEGACY, "{\"from\":\"" + from + "\",\"to\":\"now\","
                    + "\"events\":[\"push_sent\",\"push_open\"],\"ids\":[\"install_id\",\"custom_id\",\"advertising_id\"]}");
            String path = "/1.0/live_demo/export/request/" + member(created, "requestId");
            finished(path, LEGACY);
            for (int attempt = 0; attempt < 3; attempt++) {
                String link = member(send(path, LEGACY, null), "file_url"); // every lookup gives a new link
                HttpResponse<String> response = download(link);
                if (response.statusCode() == 200) {
                    return response.body().lines().toList();
                }
                if (response.statusCode() != 403) { // 403: the link has expired on its way
                    throw new IOException(link + " answers " + response.statusCode());
                }
            }
            throw new IOException("no link of " + path + " works");
        }

        /** Downloads attributes of all profiles: the content of each file. */
        List<String> attributes() throws IOException, InterruptedException {
            String created = send("/2.7/profiles/export", PROFILES,
                    "{\"export_type\":\"ATTRIBUTES\",\"attributes\":[\"$email_address\",\"$language\"],\"identifiers\":[\"custom_id\"]}");
            String record = finished("/2.7/exports/view?id=" + member(created, "id"), PROFILES);
            List<String> contents = new ArrayList<>();
            Matcher files = Pattern.compile("\"id\" *: *\"(file_[^\"]+)\"").matcher(record);
            while (files.find()) {
                URI file = URI.create(url + "/2.7/exports/download?id=" + files.group(1));
                HttpResponse<Void> redirect = HTTP.send(HttpRequest.newBuilder(file).headers(PROFILES).build(), BodyHandlers.discarding());
                String link = redirect.headers().firstValue("Location").orElseThrow(() -> new IOException("the download does not redirect"));
                HttpResponse<String> response = download(link); // without the credentials of the API
                if (response.statusCode() != 200) {
                    throw new IOException(link + " answers " + response.statusCode());
                }
                contents.add(response.body());
            }
            return contents;
        }

        /** Polls until an export is over, for an hour at most. */
        String finished(String path, String[] headers) throws IOException, InterruptedException {
            for (int poll = 0; poll < 360; poll++) {
                String record = send(path, headers, null);
                switch (member(record, "status")) {
                    case "SUCCESS":
                        return record;
                    case "ERROR":
                        throw new IOException("the export failed: " + record);
                    default:
                        sleep.seconds(10);
                }
            }
            throw new IOException(path + " is still not over");
        }

        /** Sends a request, again when the server asks for patience. */
        String send(String path, String[] headers, String body) throws IOException, InterruptedException {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(30)).headers(headers);
            if (body != null) {
                request.POST(BodyPublishers.ofString(body));
            }
            for (int attempt = 0; attempt < 5; attempt++) {
                HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
                if (response.statusCode() < 300) {
                    return response.body();
                }
                if (response.statusCode() != 429) {
                    throw new IOException(path + " answers " + response.statusCode() + ": " + response.body());
                }
                sleep.seconds(response.headers().firstValueAsLong("Retry-After").orElse(1));
            }
            throw new IOException(path + " is refused again and again");
        }

        HttpResponse<String> download(String link) throws IOException, InterruptedException {
            return HTTP.send(HttpRequest.newBuilder(URI.create(link)).timeout(Duration.ofSeconds(60)).build(), BodyHandlers.ofString());
        }
    }

    private final Mock mock;
    private final Exports client;
    private String provoked = ""; // the lint that a test brings about on purpose

    ExportsTest(Mock mock) throws IOException, InterruptedException {
        this.mock = mock;
        mock.reset();
        client = new Exports(mock.url, mock::sleep);
    }

    /** Whatever a test asked for: the client kept to the specification. */
    void judge() throws IOException, InterruptedException {
        for (String lint : mock.control("GET", "lints", null).split("(?=\\{\"code\":)")) {
            check(!"error".equals(member(lint, "severity")) || provoked.equals(member(lint, "code")), lint);
        }
    }

    void legacyExport() throws IOException, InterruptedException {
        List<String> lines = client.campaignEvents("welcome", "2025-01-01T00:00:00");
        check(lines.get(0).equals("install_id;custom_id;advertising_id;event_date;event_type"), "the header is " + lines.get(0));
        check(lines.size() > 1, "there are no rows");
    }

    void profileExport() throws IOException, InterruptedException {
        List<String> files = client.attributes();
        check(files.size() == 1 && files.get(0).contains("\"$email_address\""), "no profile has an address: " + files);
    }

    void tooManyRequests() throws IOException, InterruptedException {
        mock.control("POST", "scenarios", "{\"match\":{\"stage\":\"create\"},\"times\":2,\"scenario\":\"error=TOO_MANY_REQUESTS;retry-after=90s\"}");
        check(client.campaignEvents("welcome", "2025-01-01T00:00:00").size() > 1, "there are no rows");
        String refused = mock.control("GET", "journal/count?status=429", null);
        check(refused.contains("\"count\":2"), "refused: " + refused);
    }

    void expiredLink() throws IOException, InterruptedException {
        provoked = "dead_link_used";
        List<String> links = new ArrayList<>();
        Exports slow = new Exports(mock.url, mock::sleep) {
            @Override
            HttpResponse<String> download(String link) throws IOException, InterruptedException {
                links.add(link);
                if (links.size() == 1) {
                    mock.sleep(21 * 60); // longer than a link works
                }
                return super.download(link);
            }
        };
        check(slow.campaignEvents("welcome", "2025-01-01T00:00:00").size() > 1, "there are no rows");
        check(links.size() == 2, "the links are " + links);
    }

    void failedExport() throws IOException, InterruptedException {
        mock.control("POST", "scenarios", "{\"times\":1,\"scenario\":\"outcome=error\"}");
        try {
            client.campaignEvents("welcome", "2025-01-01T00:00:00");
        } catch (IOException failure) {
            check(failure.getMessage().startsWith("the export failed"), failure.getMessage());
            return;
        }
        throw new AssertionError("an export that failed gives rows");
    }

    interface Case {
        void run(ExportsTest test) throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, Case> cases = new LinkedHashMap<>();
        cases.put("a legacy export", ExportsTest::legacyExport);
        cases.put("a profile export", ExportsTest::profileExport);
        cases.put("too many requests", ExportsTest::tooManyRequests);
        cases.put("an expired link", ExportsTest::expiredLink);
        cases.put("an export that fails", ExportsTest::failedExport);
        int failed = 0;
        try (Mock mock = new Mock("--profiles", "500", "--progress", "time:30s", "--refuse-authorization")) {
            for (Map.Entry<String, Case> each : cases.entrySet()) {
                try {
                    ExportsTest test = new ExportsTest(mock);
                    each.getValue().run(test);
                    test.judge();
                    System.out.println("ok: " + each.getKey());
                } catch (Exception | AssertionError failure) {
                    failed++;
                    System.out.println("FAIL: " + each.getKey());
                    failure.printStackTrace(System.out);
                }
            }
        }
        System.out.println((cases.size() - failed) + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    static void check(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError(message);
        }
    }

    /** The text of a member of JSON; null without it. The JDK reads no JSON: your project has a library that does. */
    static String member(String json, String name) {
        Matcher found = Pattern.compile("\"" + Pattern.quote(name) + "\" *: *\"([^\"]*)\"").matcher(json);
        return found.find() ? found.group(1) : null;
    }
}
