package io.github.rehearsalsdk.proof;

import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Objects;

/** Runs checks and prints one line for each; see mobile/internal/proof. */
final class Checks {
	private final PrintStream out;

	Checks() throws Exception {
		out = new PrintStream(System.out, true, "UTF-8");
	}

	/** One check, which fails by throwing. */
	interface Check {
		void run() throws Throwable;
	}

	void check(String name, Check check) {
		try {
			check.run();
			out.println("ok " + name);
		} catch (Throwable failure) {
			StackTraceElement[] trace = failure.getStackTrace();
			out.println("not ok " + name + ": " + failure + (trace.length > 1 ? " at " + trace[0] + " " + trace[1] : ""));
		}
	}

	void done() {
		out.println("done");
		System.exit(0); // threads that Go has attached are no daemons
	}

	static void same(Object found, Object wanted) {
		if (!Objects.equals(found, wanted)) {
			throw new AssertionError("found " + found + ", want " + wanted);
		}
	}

	static void is(boolean condition, String what) {
		if (!condition) {
			throw new AssertionError(what);
		}
	}

	/** Gives what a call throws. */
	static Throwable thrown(Check call) {
		try {
			call.run();
		} catch (Throwable expected) {
			return expected;
		}
		throw new AssertionError("nothing was thrown");
	}

	/** Counts the objects of Go that the generated classes hold a reference to. */
	static int tracked() throws Exception {
		Field queue = Class.forName("go.Seq").getDeclaredField("goRefQueue");
		queue.setAccessible(true);
		Field references = queue.getType().getDeclaredField("refs");
		references.setAccessible(true);
		return ((Collection<?>) references.get(queue.get(null))).size();
	}
}
