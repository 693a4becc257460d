package io.github.rehearsalsdk.proof;

import io.github.rehearsalsdk.actions.Arguments;
import io.github.rehearsalsdk.actions.Caller;
import io.github.rehearsalsdk.actions.Invocation;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Result;
import io.github.rehearsalsdk.actions.Task;
import java.nio.file.Files;
import java.nio.file.Paths;

/** Prints what a million performs add to the memory of the process, with the heap as the JVM is told. */
public final class Resident {
	/** Performs once. */
	private interface Work {
		void once(int i) throws Exception;
	}

	public static void main(String[] ignored) throws Exception {
		Registry registry = new Registry(null);
		registry.register("read", invocation -> invocation.arguments().getInt64("a", 0));
		registry.registerJSON("text", given -> "");
		Caller caller = registry.caller();
		// Texts first: what objects take is not given back.
		measure("by texts", i -> caller.perform("text", "{\"a\":" + i + "}"));
		registry.register("closes", invocation -> {
			try (Invocation given = invocation; Arguments arguments = given.arguments()) {
				arguments.getInt64("a", 0);
			}
		});
		measure("with objects that are closed", i -> {
			try (Arguments arguments = new Arguments()) {
				arguments.setInt64("a", i);
				try (Task task = registry.perform("closes", arguments); Result result = task.result()) {
					result.check();
				}
			}
		});
		measure("with objects", i -> {
			Arguments arguments = new Arguments();
			arguments.setInt64("a", i);
			registry.perform("read", arguments).result().check();
		});
		System.exit(0); // threads that Go has attached are no daemons
	}

	private static void measure(String how, Work work) throws Exception {
		perform(work, 20_000); // what is there once
		double before = megabytes(), most = before;
		for (int i = 0; i < 50; i++) {
			perform(work, 20_000);
			most = Math.max(most, megabytes());
		}
		System.out.printf("a million performs %s and an argument each, heap of %d MB: from %.0f MB to at most %.0f MB, at the end %.0f MB%n",
				how, Runtime.getRuntime().maxMemory() >> 20, before, most, megabytes());
	}

	private static void perform(Work work, int times) throws Exception {
		for (int i = 0; i < times; i++) {
			work.once(i);
		}
	}

	private static double megabytes() throws Exception {
		for (String line : Files.readAllLines(Paths.get("/proc/self/status"))) {
			if (line.startsWith("VmRSS:")) {
				return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
			}
		}
		throw new AssertionError("the system does not tell");
	}
}
