package io.github.rehearsalsdk.playground;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Says who joins a playground, and where its log goes. */
public final class PlaygroundOptions {
	/** Takes the lines of a log. */
	public interface Log {
		void line(String line);
	}

	String name, version = "", instance = "", reason = "";
	boolean android, allowed = true;
	Log log = new Log() {
		@Override public void line(String line) {
			System.err.println(line);
		}
	};
	Runnable identify;

	/** Those of a program on a JVM: its name is that of the folder in which it runs. */
	public PlaygroundOptions() {
		if (System.getProperty("java.vm.name", "").contains("Dalvik")) {
			android = true;
			allowed = false;
			reason = "nobody knows whether this build can be debugged: use AndroidPlayground";
		}
		name(System.getProperty("user.dir", "app").replaceAll(".*[/\\\\]", ""));
	}

	/** Names the app. On a JVM, name and folder are what makes it the same host after a restart: two at once need two names. */
	public PlaygroundOptions name(String name) {
		this.name = name.isEmpty() ? "app" : name;
		if (!android) {
			String who = name + "\n" + System.getProperty("user.dir") + "\n" + System.getProperty("user.home");
			instance = UUID.nameUUIDFromBytes(who.getBytes(StandardCharsets.UTF_8)).toString();
		}
		return this;
	}

	/** Gives the version of the app. */
	public PlaygroundOptions version(String version) {
		this.version = version;
		return this;
	}

	/** Has the lines of the log go somewhere else. */
	public PlaygroundOptions log(Log log) {
		this.log = log;
		return this;
	}

	/** Joins although the build cannot be debugged: everybody who knows the code then performs actions in it. */
	public PlaygroundOptions alsoInReleaseBuilds() {
		allowed = true;
		if (identify != null) {
			identify.run();
		} else if (instance.isEmpty()) {
			instance = UUID.randomUUID().toString();
		}
		return this;
	}
}
