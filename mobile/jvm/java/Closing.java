package io.github.rehearsalsdk.proof;

import static io.github.rehearsalsdk.proof.Checks.is;
import static io.github.rehearsalsdk.proof.Checks.same;

import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Arguments;
import io.github.rehearsalsdk.actions.Caller;
import io.github.rehearsalsdk.actions.Completion;
import io.github.rehearsalsdk.actions.Invocation;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Result;
import io.github.rehearsalsdk.actions.Task;
import io.github.rehearsalsdk.actions.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** Checks objects that are closed, and how much memory many performs with such objects take. */
public final class Closing {
	private static final int MEGABYTE = 1 << 10;

	public static void main(String[] arguments) throws Exception {
		Checks checks = new Checks();
		checks.check("what is closed does nothing, and may be closed again", Closing::empty);
		checks.check("closing a task cancels nothing", Closing::underWay);
		checks.check("what came of a closed object stays", Closing::parts);
		checks.check("an action may close what it was given", Closing::inside);
		checks.check("objects are closed while others use them", Closing::racing);
		checks.check("what is closed is not tracked any more", Closing::untracked);
		checks.check("performs with objects within 100 MB", Closing::performs);
		checks.done();
	}

	private static void empty() throws Exception {
		Registry registry = new Registry(null);
		registry.register("fail", invocation -> {
			throw new Exception("no tea");
		});
		Arguments arguments = Actions.argumentsFromJSON("{\"a\":[1],\"b\":\"x\"}");
		Value value = arguments.getValue("b");
		Task task = registry.perform("fail", arguments);
		Result result = task.result();
		for (AutoCloseable closed : new AutoCloseable[] {arguments, value, task, result, arguments.getList("a"), registry.caller()}) {
			closed.close();
			closed.close();
		}
		same(arguments.json(), "{}");
		arguments.setString("a", "b");
		same(arguments.json(), "{}");
		same(value.asString("none"), "none");
		same(task.result(), null);
		same(task.await(600_000), null);
		same(task.isDone(), false);
		same(task.cancel(), false);
		registry.register("as", invocation -> invocation.endAs(task));
		same(registry.perform("as", null).result().status(), Actions.StatusFailed);
		same(result.status(), "");
		same(registry.perform("nobody", arguments).result().status(), Actions.StatusNotFound);
	}

	private static void underWay() throws Exception {
		Registry registry = new Registry(null);
		AtomicReference<Completion> completion = new AtomicReference<>();
		registry.register("later", invocation -> completion.set(invocation.later()));
		CountDownLatch told = new CountDownLatch(1);
		try (Task task = registry.perform("later", null)) {
			task.onDone(result -> {
				if (result.isPerformed()) {
					told.countDown();
				}
				result.close();
			});
		}
		is(completion.get().succeed(), "it has ended before");
		told.await();
	}

	private static void parts() throws Exception {
		Arguments inner;
		try (Arguments outer = Actions.argumentsFromJSON("{\"inner\":{\"n\":7}}"); Value value = outer.getValue("inner")) {
			inner = value.asArguments();
		}
		same(inner.json(), "{\"n\":7}");
		Registry registry = new Registry(null);
		registry.register("echo", invocation -> invocation.setValue(Actions.argumentsValue(invocation.arguments())));
		Task one = registry.perform("echo", inner), same = registry.perform("echo", inner);
		inner.close();
		one.close();
		same(same.result().value().json(), "{\"n\":7}");
	}

	private static void inside() throws Exception {
		Registry registry = new Registry(null);
		registry.register("closes", invocation -> {
			try (Invocation given = invocation; Arguments arguments = given.arguments(); Value value = Actions.stringValue(arguments.getString("a", ""))) {
				given.setValue(value);
			}
		});
		try (Caller caller = registry.caller()) {
			same(caller.perform("closes", "{\"a\":\"x\"}"), "{\"status\":\"performed\",\"value\":\"x\"}");
		}
	}

	private static void racing() throws Exception {
		int rounds = Math.min(20_000, Memory.PERFORMS);
		List<Thread> threads = new ArrayList<>();
		AtomicReference<Arguments> shared = new AtomicReference<>(new Arguments());
		AtomicReference<Throwable> wrong = new AtomicReference<>();
		for (int i = 0; i < 4; i++) {
			boolean closes = i % 2 == 0;
			Thread thread = new Thread(() -> {
				try {
					for (int n = 0; n < rounds; n++) {
						Arguments arguments = shared.get();
						arguments.setInt64("n", n);
						if (closes) {
							shared.compareAndSet(arguments, new Arguments());
							arguments.close();
						} else {
							arguments.getInt64("n", 0);
						}
					}
				} catch (Throwable thrown) {
					wrong.set(thrown);
				}
			});
			threads.add(thread);
			thread.start();
		}
		for (Thread thread : threads) {
			thread.join();
		}
		same(wrong.get(), null);
	}

	/** Memory may hide what is left of single objects; their number does not. The proxy of an invocation is made for an action, and closed there. */
	private static void untracked() throws Exception {
		Registry registry = new Registry(null);
		registry.register("count", invocation -> {
			try (Invocation given = invocation; Arguments arguments = given.arguments()) {
				arguments.getInt64("n", 0);
			}
		});
		int before = Checks.tracked();
		perform(registry, 1000);
		int after = Checks.tracked();
		is(after <= before, "of " + before + " objects there are " + after);
	}

	private static void performs() throws Exception {
		Registry registry = new Registry(null);
		long[] sum = new long[1];
		registry.register("count", invocation -> {
			try (Invocation given = invocation; Arguments arguments = given.arguments()) {
				sum[0] += arguments.getInt64("n", 0);
			}
		});
		perform(registry, Memory.PERFORMS / 50); // what is there once
		long before = Memory.resident(), most = before;
		for (int i = 0; i < 50; i++) {
			perform(registry, Memory.PERFORMS / 50);
			most = Math.max(most, Memory.resident());
		}
		same(sum[0], Memory.PERFORMS / 50 * 51L);
		System.out.println("from " + before + " kB to at most " + most + " kB");
		is(most < before + 100 * MEGABYTE, "it has grown from " + before + " to " + most + " kB");
	}

	private static void perform(Registry registry, int times) throws Exception {
		for (int i = 0; i < times; i++) {
			try (Arguments one = new Arguments()) {
				one.setInt64("n", 1);
				try (Task task = registry.perform("count", one); Result result = task.result()) {
					result.check();
				}
			}
		}
	}
}
