package io.github.rehearsalsdk.proof;

import static io.github.rehearsalsdk.proof.Checks.is;
import static io.github.rehearsalsdk.proof.Checks.same;

import io.github.rehearsalsdk.actions.Action;
import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Arguments;
import io.github.rehearsalsdk.actions.Invocation;
import io.github.rehearsalsdk.actions.Registration;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.trouble.Trouble;
import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;

/** Checks that what is not needed any more is let go, on both sides. */
public final class Memory {
	/** How many performs are measured. */
	static final int PERFORMS = Integer.getInteger("performs", 1_000_000);

	public static void main(String[] arguments) throws Exception {
		Checks checks = new Checks();
		checks.check("an unregistered action is collected", Memory::unregistered);
		checks.check("a replaced action is collected", Memory::replaced);
		checks.check("a registered action is not collected", Memory::registered);
		checks.check("a listener that was told is collected", Memory::listener);
		checks.check("a host that was replaced or taken away is collected", Memory::host);
		checks.check("performs with flat memory", Memory::performs);
		checks.check("registrations with flat memory", Memory::registrations);
		checks.check("performs in the background with flat memory, a tenth failing", Memory::background);
		checks.done();
	}

	/** An action that holds something, so that the compiler cannot make one for all. */
	private static Action action(Object held) {
		return invocation -> held.hashCode();
	}

	/** Many things that should be collected. Go lets go of single ones late: their handles share blocks of memory with others. */
	private static final class Many<T> {
		private static final int COUNT = 400;
		private final List<WeakReference<T>> references = new ArrayList<>();

		T add(T thing) {
			references.add(new WeakReference<>(thing));
			return thing;
		}

		/** Collects garbage on both sides until nearly all are gone; fails when they stay. */
		void gone() throws InterruptedException {
			long left = COUNT;
			for (int i = 0; i < 50 && left > COUNT / 20; i++) {
				System.gc();
				Trouble.collect(); // Go lets go of Java's objects in finalizers, which run after this
				new ReferenceQueue<Object>().remove(50);
				left = references.stream().filter(reference -> reference.get() != null).count();
			}
			is(left <= COUNT / 20, left + " of " + COUNT + " are still there");
		}
	}

	private static void unregistered() throws Exception {
		Registry registry = new Registry(null);
		Many<Action> actions = new Many<>();
		for (int i = 0; i < Many.COUNT; i++) {
			registry.register("x" + i, actions.add(action(new Object())));
			registry.perform("x" + i, null).result().check();
		}
		for (int i = 0; i < Many.COUNT; i++) {
			registry.unregister("X" + i);
		}
		actions.gone();
		registry.perform("x", null);
	}

	private static void replaced() throws Exception {
		Registry registry = new Registry(null);
		Many<Action> actions = new Many<>();
		Registration first = registry.register("x", action(new Object()));
		for (int i = 0; i < Many.COUNT; i++) {
			registry.register("x", actions.add(action(new Object())));
		}
		registry.register("x", action(new Object()));
		same(first.isActive(), false);
		actions.gone();
		registry.perform("x", null).result().check();
	}

	private static void registered() throws Exception {
		Registry registry = new Registry(null);
		Action action = action(new Object());
		WeakReference<Action> reference = new WeakReference<>(action);
		registry.register("x", action);
		action = null;
		for (int i = 0; i < 5; i++) {
			System.gc();
			Trouble.collect();
		}
		is(reference.get() != null, "it is gone");
		registry.perform("x", null).result().check();
	}

	private static void listener() throws Exception {
		Registry registry = new Registry(null);
		registry.register("x", action(new Object()));
		Many<Object> held = new Many<>();
		for (int i = 0; i < Many.COUNT; i++) {
			perform(registry, held.add(new Object()));
		}
		held.gone();
		registry.perform("x", null).result().check();
	}

	private static void host() throws Exception {
		Registry registry = new Registry(null);
		Arguments text = Actions.argumentsFromJSON("{\"t\":\"x\"}");
		Many<Object> held = new Many<>();
		for (int i = 0; i < Many.COUNT; i++) {
			clipboard(registry, held.add(new Object()));
			registry.perform("service.clipboard", text).result().check();
		}
		registry.setClipboard(null);
		held.gone();
		same(registry.perform("service.clipboard", text).result().status(), Actions.StatusUnsupported);
	}

	private static void clipboard(Registry registry, Object held) {
		registry.setClipboard((text, completion) -> {
			held.hashCode();
			completion.succeed();
		});
	}

	private static void perform(Registry registry, Object held) {
		registry.performAsync("x", null, result -> held.hashCode()).await(60_000);
	}

	/** Gives the memory of this process in kilobytes. */
	static long resident() throws IOException {
		for (String line : Files.readAllLines(Paths.get("/proc/self/status"))) {
			if (line.startsWith("VmRSS:")) {
				return Long.parseLong(line.replaceAll("\\D", ""));
			}
		}
		throw new IOException("the kernel does not tell");
	}

	/** Something that is done very often. */
	private interface Often {
		void once(int i) throws Exception;
	}

	/** Does it often, and checks that the second half needs no more memory than the first. */
	private static void flat(int times, Often often) throws Exception {
		long first = 0, second = 0;
		for (int i = 0; i < times; i++) {
			often.once(i);
			if (i % (times / 100) == 0) {
				if (i < times / 2) {
					first = Math.max(first, resident());
				} else {
					second = Math.max(second, resident());
				}
			}
		}
		System.out.println("most memory in the first half " + first + " kB, in the second " + second + " kB");
		is(second < first + (64 << 10), "it has grown from " + first + " to " + second + " kB");
	}

	private static void performs() throws Exception {
		Registry registry = new Registry(null);
		int[] count = new int[1];
		registry.register("count", invocation -> count[0] += (int) arguments(invocation).getInt64("n", 0));
		Arguments arguments = new Arguments();
		arguments.setInt64("n", 1);
		flat(PERFORMS, i -> registry.perform("count", arguments));
		same(count[0], PERFORMS);
	}

	private static Arguments arguments(Invocation invocation) {
		return invocation.arguments();
	}

	private static void registrations() throws Exception {
		Registry registry = new Registry(null);
		flat(PERFORMS / 10, i -> {
			registry.register("x", action(new Object()));
			if (i % 2 == 0) {
				registry.unregister("x");
			}
		});
		same(registry.list().count(), 1);
	}

	private static void background() throws Exception {
		Registry registry = new Registry(null);
		registry.register("tenth", invocation -> {
			if (invocation.arguments().getInt64("n", 0) % 10 == 0) {
				throw new Exception("every tenth");
			}
		});
		int[] performed = new int[1];
		flat(PERFORMS / 10, i -> {
			Arguments arguments = new Arguments();
			arguments.setInt64("n", i);
			if (registry.performAsync("tenth", arguments, null).await(60_000).status().equals(Actions.StatusPerformed)) {
				performed[0]++;
			}
		});
		same(performed[0], PERFORMS / 10 * 9 / 10);
	}
}
