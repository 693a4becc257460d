package io.github.rehearsalsdk.proof;

import static io.github.rehearsalsdk.proof.Checks.is;
import static io.github.rehearsalsdk.proof.Checks.same;
import static io.github.rehearsalsdk.proof.Checks.thrown;

import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.ArgumentList;
import io.github.rehearsalsdk.actions.Arguments;
import io.github.rehearsalsdk.actions.Options;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Result;
import io.github.rehearsalsdk.actions.Task;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Checks that exceptions that do harm when they are looked at harm only the action that has thrown them. */
public final class Hostile {
	private static final long LIMIT = 60_000;

	public static void main(String[] arguments) throws Exception {
		Checks checks = new Checks();
		for (Map.Entry<String, Exception> hostile : exceptions().entrySet()) {
			checks.check("thrown by an action, " + hostile.getKey(), () -> action(hostile.getValue()));
			checks.check("thrown by hosts, " + hostile.getKey(), () -> hosts(hostile.getValue()));
			checks.check("thrown by listeners, " + hostile.getKey(), () -> listeners(hostile.getValue()));
			checks.check("thrown by an executor, " + hostile.getKey(), () -> executor(hostile.getValue()));
		}
		checks.done();
	}

	/** Speaks when it is asked for its message. */
	private static class Speaking extends RuntimeException {
		private final java.util.function.Supplier<String> message;

		Speaking(java.util.function.Supplier<String> message) {
			this.message = message;
		}

		@Override public String getMessage() {
			return message.get();
		}

		@Override public String toString() {
			throw new IllegalStateException("from toString");
		}

		@Override public synchronized Throwable getCause() {
			throw new IllegalStateException("from getCause");
		}
	}

	private static int endless(int n) {
		return endless(n + 1) + 1;
	}

	private static Map<String, Exception> exceptions() throws Exception {
		Map<String, Exception> all = new LinkedHashMap<>();
		all.put("whose message throws", new Speaking(() -> {
			throw new IllegalStateException("from getMessage");
		}));
		all.put("whose message throws itself", new RuntimeException() {
			@Override public String getMessage() {
				throw this;
			}
		});
		all.put("whose message throws an error", new Speaking(() -> {
			throw new OutOfMemoryError("from getMessage");
		}));
		all.put("whose message recurses for ever", new Speaking(() -> "" + endless(0)));
		all.put("without a message", new Speaking(() -> null));
		all.put("whose message is half a letter", new Speaking(() -> "\uD83D"));
		Registry other = new Registry(null);
		other.register("x", invocation -> {
			throw new Speaking(() -> {
				throw new IllegalStateException("from getMessage inside of getMessage");
			});
		});
		all.put("whose message performs", new Speaking(() -> other.perform("x", null).result().message()));
		Exception first = new Exception("a circle of causes"), second = new Exception(first);
		first.initCause(second);
		all.put("that is its own cause's cause", first);
		return all;
	}

	private static Registry registry(AtomicInteger ran) throws Exception {
		Registry registry = new Registry(null);
		registry.register("x", invocation -> ran.incrementAndGet());
		return registry;
	}

	private static Result group(Registry registry, boolean background, String... identifiers) throws Exception {
		ArgumentList items = new ArgumentList();
		for (String identifier : identifiers) {
			items.addAction(identifier, Actions.argumentsFromJSON("{\"t\":\"x\"}"));
		}
		Arguments group = new Arguments();
		group.setList("actions", items);
		Task task = background ? registry.performAsync("service.group", group, null) : registry.perform("service.group", group);
		return task.await(LIMIT);
	}

	/** The hostile one is failed, and those before and after it know nothing of it. */
	private static void between(Registry registry, AtomicInteger ran, String hostile, Exception exception) throws Exception {
		for (boolean background : new boolean[] {false, true}) {
			ran.set(0);
			Result result = group(registry, background, "x", hostile, "x", hostile, "x");
			same(result.status(), Actions.StatusPartial);
			same(ran.get(), 3);
			for (int i = 0; i < 5; i++) {
				same(i + " " + result.item(i).status(), i + " " + (i % 2 == 0 ? Actions.StatusPerformed : Actions.StatusFailed));
			}
			is(!result.item(1).message().isEmpty(), "there is no message");
			is(thrown(result.item(1)::check) == exception, "another exception came back");
		}
	}

	private static void action(Exception exception) throws Exception {
		AtomicInteger ran = new AtomicInteger();
		Registry registry = registry(ran);
		registry.register("hostile", invocation -> {
			throw exception;
		});
		between(registry, ran, "hostile", exception);
	}

	private static void hosts(Exception exception) throws Exception {
		AtomicInteger ran = new AtomicInteger();
		Registry registry = registry(ran);
		Thrower.install(registry, exception);
		between(registry, ran, "service.clipboard", exception);
		between(registry, ran, "service.smart_reoptin", exception);
	}

	private static void executor(Exception exception) throws Exception {
		AtomicInteger ran = new AtomicInteger();
		Registry registry = registry(ran);
		registry.registerOn("hostile", invocation -> { }, work -> {
			throw exception;
		});
		between(registry, ran, "hostile", exception);
	}

	/** What listeners throw nobody hears of. */
	private static void listeners(Exception exception) throws Exception {
		Options options = new Options();
		options.setCallbackLimit(10);
		Registry registry = new Registry(options);
		CountDownLatch told = new CountDownLatch(3);
		registry.setHangListener(hang -> {
			told.countDown();
			throw exception;
		});
		registry.register("hangs", invocation -> is(told.await(LIMIT, TimeUnit.MILLISECONDS), "nobody is told"));
		registry.register("goes-on", invocation -> invocation.later().setCancelListener(() -> {
			told.countDown();
			throw exception;
		}));
		registry.register("x", invocation -> { });
		registry.perform("goes-on", null).cancel();
		registry.performAsync("x", null, result -> {
			told.countDown();
			throw exception;
		});
		same(registry.performAsync("hangs", null, null).await(LIMIT).status(), Actions.StatusPerformed);
		same(registry.performAsync("x", null, null).await(LIMIT).status(), Actions.StatusPerformed);
	}
}
