package io.github.rehearsalsdk.playground;

import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Arguments;
import io.github.rehearsalsdk.actions.PlaygroundLink;
import io.github.rehearsalsdk.actions.Registry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;

/**
 * Joins an app to the playground of a mock server, so that its page and tests perform actions on it and see what it performs. It is for
 * debug builds, and does nothing in others. Network and waiting are on two threads of its own; no perform waits for them.
 */
public final class Playground {
	/** In milliseconds: the limit of both parts of the first attempt, and of a request; pauses; the silence after which a stream is dead. */
	private static final int FIRST = 1_400, LIMIT = 5_000, SHORTEST = 500, LONGEST = 10_000, SILENCE = 15_000;

	private final PlaygroundLink link;
	private final PlaygroundOptions options;
	private final Addresses addresses;
	private final Object lock = new Object();
	// Guarded by the lock. The first is where the app has joined, or null.
	private String joined, token, said = "";
	private long heartbeat = 5_000;
	private boolean over, leaving;

	private Playground(Registry registry, String url, PlaygroundOptions options) {
		this.options = options;
		addresses = new Addresses(url, options.android);
		link = options.allowed ? registry.playgroundLink() : null;
	}

	/**
	 * Joins a program on a JVM; for Android see {@link AndroidPlayground}. The url is that of the server, such as "http://192.168.1.5:8080", or
	 * null for this computer's; the code is the one that the page shows, or null on the computer of the server.
	 */
	public static Playground join(Registry registry, String url, String code) {
		return join(registry, url, code, new PlaygroundOptions());
	}

	/** Joins with options. */
	public static Playground join(Registry registry, String url, final String code, PlaygroundOptions options) {
		final Playground playground = new Playground(registry, url, options);
		if (!options.allowed) {
			options.log.line("Playground: not joined, since " + options.reason + ". The option alsoInReleaseBuilds allows it.");
			return playground;
		}
		// No lambdas: this is compiled against Android 6.
		Thread down = new Thread("playground-down") {
			@Override public void run() {
				playground.listen(code);
			}
		};
		Thread up = new Thread("playground-up") {
			@Override public void run() {
				playground.post();
			}
		};
		down.setDaemon(true);
		up.setDaemon(true);
		down.start();
		up.start();
		return playground;
	}

	/** Tells the playground what an action is: an object of JSON with "title", "sample" (arguments) and "schema" (of arguments). */
	public Playground describe(String identifier, String json) throws Exception {
		if (link != null) {
			link.describe(identifier, json);
		}
		return this;
	}

	/** Whether the app has joined now. */
	public boolean isJoined() {
		return where() != null;
	}

	/** Leaves. It does not wait. */
	public void leave() {
		synchronized (lock) {
			leaving = true;
		}
		if (link != null) {
			link.close();
		}
	}

	/** Joins, and listens for calls, again and again. */
	private void listen(String code) {
		int limit = FIRST;
		for (int pause = SHORTEST; !isOver(); pause = Math.min(2 * pause, LONGEST), limit = LIMIT) {
			try {
				if ((isJoined() || attempt(code, limit)) && receive()) {
					pause = SHORTEST;
				}
			} catch (Exception e) {
				say("Playground: the connection ended (" + e + "). It is tried again.");
			}
			sleep(pause);
		}
	}

	/** Joins by the first address that answers, or says why there is none. */
	private boolean attempt(String code, int limit) throws Exception {
		String base = addresses.find(limit);
		if (base == null) {
			say(addresses.why());
			return false;
		}
		Arguments about = new Arguments();
		about.setString("instance", options.instance);
		about.setString("name", options.name);
		about.setString("version", options.version);
		about.setString("platform", options.android ? "android" : "jvm");
		if (code != null) {
			about.setString("code", code);
		}
		HttpURLConnection c = Addresses.open(base + "/_mock/hosts", limit);
		c.setDoOutput(true);
		c.setRequestProperty("Content-Type", "application/json");
		c.getOutputStream().write(link.hello(about.json()).getBytes(StandardCharsets.UTF_8));
		int status = c.getResponseCode();
		String answer = Addresses.text(status < 400 ? c.getInputStream() : c.getErrorStream());
		Arguments read = answer.startsWith("{") ? Actions.argumentsFromJSON(answer) : new Arguments();
		if (status != 201) {
			say("Playground: " + base + " refused this app (" + status + "): " + read.getString("message", "is it a mock server of this version?"));
			if (status == 400 || status == 401) {
				end("it would be refused again. Start it anew with the code that the page shows now.");
			}
			return false;
		}
		synchronized (lock) {
			token = read.getString("token", "");
			joined = base + "/_mock/hosts/" + read.getString("id", "");
			heartbeat = 1_000 * Math.max(1, read.getInt64("heartbeat_seconds", 5));
			lock.notifyAll();
		}
		say("Playground: joined " + base + " as \"" + options.name + "\".");
		return true;
	}

	/** Reads the stream of calls until it ends, and tells whether it had begun. */
	private boolean receive() throws IOException {
		String where = where();
		if (where == null) {
			return false;
		}
		HttpURLConnection c = authorized(where + "/calls", SILENCE);
		try {
			if (rejected(c.getResponseCode())) {
				return false;
			}
			BufferedReader lines = new BufferedReader(new InputStreamReader(c.getInputStream(), StandardCharsets.UTF_8));
			String event = "", data = "";
			for (String line; (line = lines.readLine()) != null && where.equals(where()); ) {
				if (line.startsWith("event:")) {
					event = line.substring(6).trim();
				} else if (line.startsWith("data:")) {
					data += line.substring(5).trim();
				} else if (line.isEmpty()) {
					if (event.equals("replaced")) {
						end("another app joined as this one. Give one of them another name.");
					} else if (event.equals("removed")) {
						end("it was removed on the page.");
					} else {
						link.receive(event, data);
					}
					event = data = "";
				}
			}
			return true;
		} finally {
			c.disconnect();
		}
	}

	/** Posts what there is to tell. A post that fails is tried again; the link bounds what waits meanwhile. */
	private void post() {
		for (String body; !(body = waiting()).isEmpty(); ) {
			for (int pause = SHORTEST; !isOver() && !posted(body) && !isLeaving(); pause = Math.min(2 * pause, LONGEST)) {
				sleep(pause);
			}
		}
		boolean left = isLeaving();
		if (left) {
			posted("{\"messages\":[{\"type\":\"leave\"}]}");
		}
		end(left ? "it left." : "the registry was joined again.");
	}

	/** Waits until the app has joined and has something to tell; "" is the end. */
	private String waiting() {
		synchronized (lock) {
			while (joined == null && !over && !leaving) {
				try {
					lock.wait(LONGEST);
				} catch (InterruptedException e) {
					return "";
				}
			}
			if (joined == null) {
				return "";
			}
		}
		return link.next(heartbeat);
	}

	private boolean posted(String body) {
		try {
			String where = where();
			if (where == null) {
				return false;
			}
			HttpURLConnection c = authorized(where + "/messages", LIMIT);
			byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
			c.setDoOutput(true);
			c.setFixedLengthStreamingMode(bytes.length); // or it would be sent twice at times
			c.setRequestProperty("Content-Type", "application/json");
			c.getOutputStream().write(bytes);
			int status = c.getResponseCode();
			Addresses.text(status < 400 ? c.getInputStream() : c.getErrorStream()); // so that the connection is used again
			if (status == 400) {
				say("Playground: the server does not understand this version, and missed something.");
			}
			return !rejected(status) && status <= 400;
		} catch (IOException e) {
			return false;
		}
	}

	/** Looks whether the server does not know the token (any more), or wants no more of it. */
	private boolean rejected(int status) {
		if (status == 409) {
			end("another app joined as this one, or it was removed on the page.");
		}
		synchronized (lock) {
			if (status == 401 || status == 404) {
				joined = null; // the server was started again
			}
		}
		return status >= 400 && status != 400;
	}

	private void end(String why) {
		synchronized (lock) {
			if (over) {
				return;
			}
			over = true;
			joined = null;
			lock.notifyAll();
		}
		say("Playground: the app is not joined any more: " + why);
		link.close();
	}

	private String where() {
		synchronized (lock) {
			return joined;
		}
	}

	private HttpURLConnection authorized(String url, int limit) throws IOException {
		HttpURLConnection c = Addresses.open(url, limit);
		synchronized (lock) {
			c.setRequestProperty("Authorization", "Bearer " + token);
		}
		return c;
	}

	private boolean isLeaving() {
		synchronized (lock) {
			return leaving;
		}
	}

	private boolean isOver() {
		synchronized (lock) {
			return over;
		}
	}

	private void say(String line) {
		synchronized (lock) {
			if (line.equals(said)) {
				return; // as before
			}
			said = line;
		}
		options.log.line(line);
	}

	private void sleep(int milliseconds) {
		try {
			Thread.sleep(milliseconds);
		} catch (InterruptedException e) {
			end("its thread was interrupted.");
		}
	}
}
