package io.github.rehearsalsdk.testing;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The program, started for tests, or one at an address that runs already. */
public final class Server implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient client;
    private String url;
    private String token = "";
    private Process process;
    private Path directory;

    private Server(HttpClient client) {
        this.client = client;
    }

    /** The server of all tests of this process: started once, when it is first asked for, and the same for Spring's dynamic properties. */
    private static final class Shared {
        static final Server SERVER = fromSettings();

        private static Server fromSettings() {
            String address = setting("rehearsal.url", "REHEARSAL_URL");
            if (!address.isEmpty()) {
                return at(URI.create(address), setting("rehearsal.control-token", "REHEARSAL_CONTROL_TOKEN"));
            }
            String flags = setting("rehearsal.flags", "REHEARSAL_FLAGS").strip();
            return start(flags.isEmpty() ? new String[0] : flags.split("\\s+"));
        }
    }

    /**
     * The server of all tests of this process: that of the system property rehearsal.url or of REHEARSAL_URL, or one that is started with the flags
     * in rehearsal.flags.
     */
    public static Server shared() {
        return Shared.SERVER;
    }

    static String setting(String property, String variable) {
        String set = System.getProperty(property, System.getenv(variable));
        return set == null ? "" : set;
    }

    /** A server that runs already, with --credentials any, and with a token or "". */
    public static Server at(URI address, String token) {
        Server server = new Server(HttpClient.newHttpClient());
        server.url = address.toString().replaceAll("/+$", "");
        server.token = token;
        server.checkVersion(Json.text(Json.object(server.control("GET", "health", null, Map.of())), "version"));
        return server;
    }

    /**
     * Starts the program: on a free port, with its state in memory, any credentials, 500 profiles, and exports that end with their third
     * lookup. Flags are those of `rehearsal serve`, and win. The server ends with this process, however that one ends.
     */
    public static Server start(String... flags) {
        Server server = new Server(HttpClient.newBuilder().proxy(HttpClient.Builder.NO_PROXY).build());
        try {
            server.launch(Program.path(), flags);
        } catch (IOException error) {
            server.close();
            throw new UncheckedIOException(error);
        } catch (RuntimeException error) {
            server.close();
            throw error;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        return server;
    }

    private void launch(Path program, String... flags) throws IOException {
        directory = Files.createTempDirectory("rehearsal-");
        Path ready = directory.resolve("ready.json");
        Path log = directory.resolve("log");
        List<String> command = new ArrayList<>(List.of(program.toString(), "serve", "--port", "0", "--test",
                "--ready-file", ready.toString(), "--until-stdin-closes", "--shutdown-timeout", "0s"));
        command.addAll(List.of(flags));
        process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!Files.exists(ready)) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IllegalStateException(program + " does not start: " + Files.readString(log));
            }
            try {
                process.waitFor(10, TimeUnit.MILLISECONDS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(program + " was not waited for", interrupted);
            }
        }
        Map<String, Object> said = Json.object(Json.read(Files.readString(ready)));
        if (File.separatorChar == '/') { // a runner that is killed leaves nothing; elsewhere the log is in use
            removeDirectory();
        }
        url = Json.text(said, "url");
        token = Json.text(said, "control_token");
        checkVersion(Json.text(said, "version"));
    }

    private static final Pattern RELEASE = Pattern.compile("v?(\\d+)\\.(\\d+)\\.\\d+");

    /** checkVersion refuses a server of another major version; before 1.0.0, that is the second number. A version that is no release is not compared. */
    private void checkVersion(String version) {
        String own = Objects.requireNonNullElse(Server.class.getPackage().getImplementationVersion(), "");
        Matcher server = RELEASE.matcher(version);
        Matcher client = RELEASE.matcher(own);
        if (server.matches() && client.matches() && !(server.group(1).equals(client.group(1)) && (!own.startsWith("0.") || server.group(2).equals(client.group(2))))) {
            String plain = version.replaceFirst("^v", "");
            throw new IllegalStateException(url + " is a server of version " + plain + ", and this client is of " + own + ": they understand each other within one major version. "
                    + "Take rehearsal-junit " + plain + ", or start a server of " + own);
        }
    }

    /** The address of the export API, without a slash at its end. */
    public String url() {
        return url;
    }

    /** A part of the server that belongs to one test, with a key of its own. */
    public Scope scope() {
        return scope("test-" + UUID.randomUUID());
    }

    /** The part of the server that belongs to a key. */
    public Scope scope(String key) {
        return new Scope(this, key);
    }

    static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * Calls a path below /_mock/. What it sends and gets is JSON: maps, lists, texts, numbers, truth values and null.
     *
     * @param body what is sent, or null for nothing
     */
    public Object control(String method, String path, Object body, Map<String, ?> query) {
        String parameters = query.entrySet().stream().map(each -> each.getKey() + "=" + escaped(String.valueOf(each.getValue()))).collect(Collectors.joining("&"));
        String address = url + "/_mock/" + path + (parameters.isEmpty() ? "" : "?" + parameters);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address)).timeout(PATIENCE)
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(Json.write(body)));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> response;
        try {
            response = client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException error) {
            throw new ControlException(method + " " + address + ": " + error, error);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ControlException(method + " " + address + " was interrupted", interrupted);
        }
        if (response.statusCode() >= 400) {
            throw new ControlException(method + " " + address + ": " + response.statusCode() + ": " + response.body(), null);
        }
        return response.body().isEmpty() ? null : Json.read(response.body());
    }

    /** Ends the server, if it was started here. */
    @Override
    public synchronized void close() {
        try {
            if (process != null) {
                process.getOutputStream().close();
                if (!process.waitFor(15, TimeUnit.SECONDS)) {
                    process.destroyForcibly().waitFor();
                }
                process = null;
            }
            removeDirectory();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void removeDirectory() throws IOException {
        for (String name : directory == null ? List.<String>of() : List.of("ready.json", "log", "")) {
            Files.deleteIfExists(directory.resolve(name));
        }
        directory = null;
    }
}
