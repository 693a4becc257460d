package io.github.rehearsalsdk.proof;

import static io.github.rehearsalsdk.proof.Checks.is;
import static io.github.rehearsalsdk.proof.Checks.same;

import io.github.rehearsalsdk.actions.Action;
import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.ArgumentList;
import io.github.rehearsalsdk.actions.Arguments;
import io.github.rehearsalsdk.actions.Completion;
import io.github.rehearsalsdk.actions.Options;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Result;
import io.github.rehearsalsdk.actions.Task;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Checks that an app that hangs, races, calls back or dies harms what it does itself and nothing else. */
public final class Chaos {
	private static final long LIMIT = 60_000;

	public static void main(String[] arguments) throws Exception {
		Checks checks = new Checks();
		checks.check("an action that hangs", Chaos::hung);
		checks.check("executors", Chaos::executors);
		checks.check("threads that die with what they should have ended", Chaos::dying);
		checks.check("threads that race", Chaos::racing);
		checks.done(); // while actions still hang
	}

	private static Registry registry(long timeLimit, long callbackLimit) throws Exception {
		Options options = new Options();
		options.setTimeLimit(timeLimit);
		options.setCallbackLimit(callbackLimit);
		Registry registry = new Registry(options);
		registry.setHangListener(hang -> { });
		registry.register("x", invocation -> { });
		return registry;
	}

	private static void never() throws InterruptedException {
		new CountDownLatch(1).await();
	}

	private static Arguments json(String text) throws Exception {
		return Actions.argumentsFromJSON(text);
	}

	private static Arguments group(String... identifiers) {
		ArgumentList items = new ArgumentList();
		for (String identifier : identifiers) {
			items.addAction(identifier, null);
		}
		Arguments group = new Arguments();
		group.setList("actions", items);
		return group;
	}

	private static void ends(Task task, String status) {
		Result result = task.await(LIMIT);
		is(result != null, "there is no result, want " + status);
		same(result.status(), status);
	}

	/** Waits until something was told, whatever else a busy machine has made hang before. */
	private static void tells(BlockingQueue<String> hangs, String what) throws Exception {
		String told;
		do {
			told = hangs.poll(LIMIT, TimeUnit.MILLISECONDS);
			is(told != null, "nobody is told of " + what);
		} while (!told.equals(what));
	}

	/** Performs an action again while the time limit is too short for a busy machine. */
	private static void ends(Registry r, String identifier) {
		long polls = LIMIT;
		while (!r.performAsync(identifier, null, null).await(LIMIT).status().equals(Actions.StatusPerformed)) {
			is(--polls > 0, identifier + " is never performed");
		}
	}

	private static void hung() throws Exception {
		Registry r = registry(LIMIT, 100);
		BlockingQueue<String> hangs = new LinkedBlockingQueue<>();
		r.setHangListener(hang -> hangs.add(hang.what() + " " + hang.milliseconds()));
		CountDownLatch hanging = new CountDownLatch(1);
		r.register("hang", invocation -> {
			hanging.countDown();
			never();
		});
		r.register("later", invocation -> new Thread(invocation.later()::succeed).start());
		r.setClipboard((text, completion) -> new Thread(completion::succeed).start());
		r.performAsync("hang", null, null);
		is(hanging.await(LIMIT, TimeUnit.MILLISECONDS), "it does not begin");
		ends(r.perform("later", null), Actions.StatusPerformed);
		ends(r.perform("service.clipboard", json("{\"t\":\"x\"}")), Actions.StatusPerformed);
		ends(r.perform("service.group", group("x", "later", "x")), Actions.StatusPerformed);
		ends(r.performAsync("x", null, null), Actions.StatusPerformed);
		tells(hangs, "\"hang\" 100");

		Registry limited = registry(200, 0); // in which nothing has to be quick
		limited.register("hang", invocation -> never());
		limited.register("never", invocation -> invocation.later());
		Task hung = limited.performAsync("hang", null, null);
		ends(limited.perform("never", null), Actions.StatusFailed);
		ends(hung, Actions.StatusFailed);
		is(hung.result().message().contains("did not come back within 200ms"), hung.result().message());
	}

	private static void executors() throws Exception {
		Registry r = registry(LIMIT, 0);
		ExecutorService own = Executors.newSingleThreadExecutor(task -> new Thread(task, "own"));
		Action name = invocation -> invocation.setValue(Actions.stringValue(Thread.currentThread().getName()));
		r.registerOn("own", name, work -> own.execute(work::run));
		r.registerOn("here", name, work -> work.run());
		r.registerOn("background", name, null);
		String here = Thread.currentThread().getName();
		same(r.perform("own", null).await(LIMIT).value().asString(""), "own");
		same(r.performAsync("own", null, null).await(LIMIT).value().asString(""), "own");
		same(r.perform("here", null).result().value().asString(""), here);
		is(!r.perform("background", null).await(LIMIT).value().asString("").equals(here), "it was run here");
		Result result = r.perform("service.group", group("own", "here", "background", "x")).await(LIMIT);
		same(result.status(), Actions.StatusPerformed);
		same(result.item(0).value().asString(""), "own");
		own.shutdown();
		ends(r.perform("own", null), Actions.StatusFailed); // RejectedExecutionException
	}

	private static void dying() throws Exception {
		Registry limited = registry(100, 50), r = registry(LIMIT, 50);
		limited.register("orphan", invocation -> {
			invocation.later();
			Thread dies = new Thread(() -> {
				throw new IllegalStateException("it dies with what it should have ended");
			});
			dies.setUncaughtExceptionHandler((thread, reason) -> { });
			dies.start();
		});
		ends(limited.perform("orphan", null), Actions.StatusFailed);
		for (Error error : new Error[] {new OutOfMemoryError("on purpose"), new ThreadDeath(), new LinkageError("on purpose")}) {
			r.register("dies", invocation -> {
				throw error;
			});
			ends(r.perform("dies", null), Actions.StatusFailed);
			ends(r.performAsync("dies", null, null), Actions.StatusFailed);
			ends(r.performAsync("x", null, result -> {
				throw error;
			}), Actions.StatusPerformed);
		}
		Thread.currentThread().interrupt();
		ends(r.performAsync("x", null, null), Actions.StatusPerformed);
		is(Thread.interrupted(), "the interruption is gone");
	}

	private static void racing() throws Exception {
		Registry r = registry(50, 20);
		AtomicInteger bad = new AtomicInteger();
		r.register("later", invocation -> {
			Completion completion = invocation.later();
			new Thread(completion::succeed).start();
		});
		r.register("hang", invocation -> Thread.sleep(60));
		r.setClipboard((text, completion) -> new Thread(() -> completion.fail("no")).start());
		String[] identifiers = {"x", "later", "churn", "service.clipboard", "service.group", "hang"};
		Thread[] threads = new Thread[6];
		for (int t = 0; t < threads.length; t++) {
			Random random = new Random(t);
			threads[t] = new Thread(() -> {
				for (int i = 0; i < 150; i++) {
					try {
						String identifier = identifiers[random.nextInt(i % 50 == 0 ? 6 : 5)];
						r.register("churn", invocation -> invocation.endAs(invocation.perform("later", null)));
						Arguments arguments = identifier.equals("service.group") ? group("later", "churn", "x") : json("{\"t\":\"x\"}");
						Task task = random.nextBoolean() ? r.perform(identifier, arguments) : r.performAsync(identifier, arguments, done -> r.unregister("churn"));
						if (random.nextInt(3) == 0) {
							task.cancel();
						}
						if (task.await(LIMIT) == null || !task.isDone() || task.cancel()) {
							bad.incrementAndGet();
						}
					} catch (Exception failure) {
						bad.incrementAndGet();
					}
				}
			});
			threads[t].start();
		}
		for (Thread thread : threads) {
			thread.join();
		}
		same(bad.get(), 0);
		ends(r, "x");
	}
}
