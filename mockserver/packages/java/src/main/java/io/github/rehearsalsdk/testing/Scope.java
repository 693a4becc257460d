package io.github.rehearsalsdk.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What belongs to one key: exports, clock, scenarios, dataset, journal and lints. Scopes disturb each other in nothing. */
public final class Scope {
    private final Server server;
    private final String key;
    private final Set<String> allowed = new HashSet<>();

    Scope(Server server, String key) {
        this.server = server;
        this.key = key;
    }

    public Server server() {
        return server;
    }

    /** The address of the export API, without a slash at its end. */
    public String url() {
        return server.url();
    }

    /** The application key and project key. */
    public String key() {
        return key;
    }

    /** A company key that the server accepts. */
    public String companyKey() {
        return "company";
    }

    /** A token that the server accepts. */
    public String token() {
        return "token";
    }

    private Map<String, Object> control(String method, String path, Object body) {
        return Json.object(server.control(method, path, body, Map.of("key", key)));
    }

    /** What the clock shows. */
    public Instant now() {
        return Instant.parse(Json.text(control("GET", "clock", null), "now"));
    }

    /** Moves the clock forward, also one that stands still. */
    public void advance(Duration by) {
        Duration forward = by.isNegative() ? Duration.ZERO : by;
        control("POST", "clock", Map.of("advance", String.format(java.util.Locale.ROOT, "%d.%09ds", forward.getSeconds(), forward.getNano())));
    }

    /** Takes the place of a pause of the client: its clock moves, and nobody waits. */
    public void sleep(Duration pause) {
        advance(pause);
    }

    /** Makes the clock show an instant, from where it goes on if it runs. */
    public void setTime(Instant at) {
        control("POST", "clock", Map.of("set", at));
    }

    /** Stops the clock where it is. */
    public void freeze() {
        control("POST", "clock", Map.of("freeze", true));
    }

    /** Stops the clock at an instant. */
    public void freeze(Instant at) {
        control("POST", "clock", Map.of("freeze", true, "set", at));
    }

    void freeze(String at) {
        freeze(OffsetDateTime.parse(at).toInstant());
    }

    /** Lets the clock go on, at the speed of real time times the rate. */
    public void run(double rate) {
        control("POST", "clock", Map.of("freeze", false, "rate", rate));
    }

    /** Forces a scenario such as "error=MAINTENANCE_ERROR;retry-after=30s" for every request of this scope; its identifier. */
    public String scenario(String scenario) {
        return scenario(scenario, 0, Map.of());
    }

    /** Forces a scenario for so many requests that match, all with 0: Map.of("stage", "create"). */
    public String scenario(String scenario, int times, Map<String, ?> match) {
        Map<String, Object> matched = new LinkedHashMap<>(match);
        matched.put("key", key);
        Map<String, Object> body = new LinkedHashMap<>(Map.of("scenario", scenario, "match", matched));
        if (times > 0) {
            body.put("times", times);
        }
        return Json.text(Json.object(server.control("POST", "scenarios", body, Map.of())), "id");
    }

    /** Deletes the scenarios of this scope. */
    public void clearScenarios() {
        control("DELETE", "scenarios", null);
    }

    /** Adds rows to the dataset of this scope, of the kind profiles, installations or events. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public final void load(String kind, Map<String, ?>... rows) {
        control("POST", "data/" + Server.escaped(kind), Arrays.asList(rows));
    }

    /** Lets exports show the rows of the dataset "only", or "mixed" with the synthetic ones. */
    public void show(String mode) {
        control("POST", "data", Map.of("mode", mode));
    }

    /** The exports of this scope, as the control API has them. */
    public List<Map<String, Object>> exports() {
        return Json.list(control("GET", "exports", null), "exports").stream().map(Json::object).toList();
    }

    /**
     * Which rows of the file of an export are late, come twice or have a wrong date: all of them, at once in memory, and their sums. An export
     * that is not there, or that has no file yet, throws a {@link ControlException}.
     */
    public Arrivals arrivals(String export) {
        String path = "exports/" + Server.escaped(export) + "/arrivals";
        Map<String, Object> found = Json.object(server.control("GET", path, null, Map.of("limit", 1000)));
        for (Object from = found.get("next_from"); from != null; ) {
            Map<String, Object> page = Json.object(server.control("GET", path, null, Map.of("limit", 1000, "from", from)));
            for (String sort : List.of("missing", "twice", "skewed")) {
                Json.list(Json.object(found.get(sort)), "examples").addAll(Json.list(Json.object(page.get(sort)), "examples"));
            }
            from = page.get("next_from");
        }
        return Arrivals.of(found);
    }

    /** All requests of this scope. */
    public List<JournalEntry> journal() {
        return journal(Map.of());
    }

    /** The requests for which all of the filter holds: route, status ("202", "4xx"), method, path, export, kind, error, since. */
    public List<JournalEntry> journal(Map<String, ?> filter) {
        Map<String, Object> query = new LinkedHashMap<>(filter);
        query.put("key", key);
        List<JournalEntry> found = new ArrayList<>();
        while (true) {
            Map<String, Object> page = Json.object(server.control("GET", "journal", null, query));
            Json.list(page, "requests").forEach(each -> found.add(JournalEntry.of(Json.object(each))));
            if (!Boolean.TRUE.equals(page.get("has_more"))) {
                return found;
            }
            query.put("since", page.get("next_since"));
        }
    }

    /** How many requests of this scope a filter lets through. */
    public long count(Map<String, ?> filter) {
        Map<String, Object> query = new LinkedHashMap<>(filter);
        query.put("key", key);
        return Json.number(Json.object(server.control("GET", "journal/count", null, query)), "count");
    }

    /** Lets the client do what has these codes: the test provokes it. */
    public void allow(String... codes) {
        allowed.addAll(List.of(codes));
    }

    /** What the client did wrong so far, but for what is allowed. */
    public List<Lint> lints() {
        Map<String, Object> page = Json.object(server.control("GET", "lints", null, Map.of("key", key, "underway", true)));
        return Json.list(page, "lints").stream().map(each -> Lint.of(Json.object(each))).filter(lint -> !allowed.contains(lint.code())).toList();
    }

    /** Throws a {@link LintError} for what the client did wrong. */
    public void check() {
        judge(lints().stream().filter(lint -> lint.severity().equals("error")).toList());
    }

    /** Throws a {@link LintError} also for what costs the client time. */
    public void checkWarnings() {
        judge(lints());
    }

    private static void judge(List<Lint> found) {
        if (!found.isEmpty()) {
            throw new LintError(found);
        }
    }

    /** Empties the scope. */
    public void reset() {
        control("DELETE", "state", null);
        allowed.clear();
    }
}
