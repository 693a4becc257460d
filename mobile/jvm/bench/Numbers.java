package io.github.rehearsalsdk.proof;

import io.github.rehearsalsdk.actions.Action;
import io.github.rehearsalsdk.actions.Arguments;
import io.github.rehearsalsdk.actions.Caller;
import io.github.rehearsalsdk.actions.Registration;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.trouble.Trouble;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Measures what a perform costs, against a registry that is a plain map in Java and against a bare round trip through JNI. */
public final class Numbers {
	/** Rounds are much shorter than a turn of the system's scheduler, so that other programs are in few of them and not in the median. */
	private static final int ROUNDS = 401;
	private static final double NANOSECONDS = 300_000;
	private static long counter;

	static native void bare(Runnable action);

	/** An action of the plain map. */
	private interface PlainAction {
		void perform(Map<String, Object> arguments);
	}

	/** What is measured. */
	private interface Work {
		void once() throws Exception;
	}

	public static void main(String[] arguments) throws Exception {
		System.load(arguments[0]);
		Map<String, PlainAction> plain = new HashMap<>();
		plain.put("say-hello", given -> counter++);
		Map<String, Object> none = new HashMap<>();
		Registry registry = new Registry(null);
		Registration registration = registry.register("say-hello", invocation -> counter++);
		Action reading = invocation -> counter += invocation.arguments().getInt64("n", 0);
		registry.register("read", reading);
		Arguments one = new Arguments();
		one.setInt64("n", 1);
		Registration closing = registry.register("closes", invocation -> {
			counter++;
			invocation.close();
		});
		Registration text = registry.registerJSON("text", given -> {
			counter++;
			return "";
		});
		registry.registerJSON("read text", given -> {
			counter += given.length();
			return "";
		});
		Caller caller = registry.caller();
		Runnable runnable = () -> counter++;

		Map<String, Work> works = new LinkedHashMap<>();
		works.put("a plain HashMap in Java", () -> plain.get("Say-Hello".toLowerCase(Locale.ROOT)).perform(none));
		works.put("a bare JNI round trip to Java", () -> bare(runnable));
		works.put("a call of Go that does nothing", Trouble::nothing);
		works.put("perform by text, by its registration", () -> text.performJSON(""));
		works.put("perform by text, by its identifier", () -> caller.perform("Text", ""));
		works.put("perform by text, arguments given", () -> caller.perform("read text", "{\"n\":1}"));
		works.put("perform, objects closed, by registration", () -> closing.perform(null).close());
		Map<String, double[]> times = measure(works);
		works.clear(); // what these leave makes everything slower that has objects, until it is collected
		works.put("perform, objects left, by registration", () -> registration.perform(null));
		works.put("perform, objects left, by identifier", () -> registry.perform("Say-Hello", null));
		works.put("perform, the result looked at", () -> registry.perform("Say-Hello", null).result().isPerformed());
		works.put("perform, an argument read", () -> registry.perform("read", one));
		works.put("perform in the background, awaited", () -> registry.performAsync("read", one, null).await(60_000));
		times.putAll(measure(works));

		double map = median(times.get("a plain HashMap in Java")), jni = median(times.get("a bare JNI round trip to Java"));
		for (Map.Entry<String, double[]> time : times.entrySet()) {
			double cost = median(time.getValue());
			System.out.printf(Locale.ROOT, "%-40s %8.0f ns %9.1fx the map %8.1fx bare JNI%n", time.getKey(), cost, cost / map, cost / jni);
		}
		System.exit(counter == 0 ? 1 : 0);
	}

	/** Measures in rounds that take turns. */
	private static Map<String, double[]> measure(Map<String, Work> works) throws Exception {
		Map<String, double[]> times = new LinkedHashMap<>();
		Map<String, Integer> calls = new HashMap<>();
		for (Map.Entry<String, Work> work : works.entrySet()) {
			times.put(work.getKey(), new double[ROUNDS]);
			cost(work.getValue(), 30_000); // the compiler sees it
			calls.put(work.getKey(), 1 + (int) (NANOSECONDS / cost(work.getValue(), 10_000)));
		}
		for (int round = 0; round < ROUNDS; round++) {
			for (Map.Entry<String, Work> work : works.entrySet()) {
				times.get(work.getKey())[round] = cost(work.getValue(), calls.get(work.getKey()));
			}
		}
		return times;
	}

	/** Gives the nanoseconds that a call takes. */
	private static double cost(Work work, int calls) throws Exception {
		long begin = System.nanoTime();
		for (int i = 0; i < calls; i++) {
			work.once();
		}
		return (System.nanoTime() - begin) / (double) calls;
	}

	private static double median(double[] values) {
		double[] sorted = values.clone();
		Arrays.sort(sorted);
		return sorted[sorted.length / 2];
	}
}
