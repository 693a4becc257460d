package io.github.rehearsalsdk.proof;

import static io.github.rehearsalsdk.proof.Checks.is;
import static io.github.rehearsalsdk.proof.Checks.same;
import static io.github.rehearsalsdk.proof.Checks.thrown;

import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Arguments;
import io.github.rehearsalsdk.actions.Completion;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Result;
import io.github.rehearsalsdk.actions.Task;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Checks what crosses between Java and Go on several threads: completions, time limits, cancellations, listeners. */
public final class Threads {
	private static final long LIMIT = 60_000;

	public static void main(String[] arguments) throws Exception {
		Checks checks = new Checks();
		checks.check("a completion ended by another thread", Threads::anotherThread);
		checks.check("a cancellation", Threads::cancellation);
		checks.check("listeners run in the background", Threads::listeners);
		checks.check("many threads", Threads::manyThreads);
		checks.check("an interruption does not end await", Threads::interrupted);
		checks.done();
	}

	private static void anotherThread() throws Exception {
		Registry registry = new Registry(null);
		SynchronousQueue<Completion> handed = new SynchronousQueue<>();
		registry.register("later", invocation -> new Thread(() -> {
			try {
				handed.put(invocation.later());
			} catch (InterruptedException impossible) {
				throw new AssertionError(impossible);
			}
		}).start());
		registry.register("properly", invocation -> {
			Completion completion = invocation.later();
			new Thread(() -> completion.succeedWith(Actions.stringValue(Thread.currentThread().getName())), "helper").start();
		});
		same(registry.perform("properly", null).await(LIMIT).value().asString(""), "helper");
		registry.perform("later", null);
		is(handed.poll(LIMIT, TimeUnit.MILLISECONDS) != null, "there is no completion");
		Task task = registry.performAsync("properly", null, null);
		same(task.await(LIMIT).value().asString(""), "helper");
	}

	private static void cancellation() throws Exception {
		Registry registry = new Registry(null);
		AtomicReference<Completion> completion = new AtomicReference<>();
		SynchronousQueue<Thread> told = new SynchronousQueue<>();
		registry.register("later", invocation -> {
			completion.set(invocation.later());
			invocation.later().setCancelListener(() -> {
				told.put(Thread.currentThread());
				throw new IllegalStateException("nobody cares");
			});
		});
		Task task = registry.perform("later", null);
		is(task.cancel() && !task.cancel(), "it is not canceled once");
		same(task.result().status(), Actions.StatusCanceled);
		same(Actions.errorCode(thrown(task.result()::check).getMessage()), Actions.StatusCanceled);
		Thread where = told.poll(LIMIT, TimeUnit.MILLISECONDS);
		is(where != null && where != Thread.currentThread(), "it was told on " + where);
		is(completion.get().isEnded() && !completion.get().succeed(), "it was ended after it was canceled");
		same(registry.performAsync("nobody", null, null).await(LIMIT).status(), Actions.StatusNotFound); // the worker goes on
	}

	private static void listeners() throws Exception {
		Registry registry = new Registry(null);
		AtomicReference<Thread> ran = new AtomicReference<>(), told = new AtomicReference<>();
		registry.register("x", invocation -> ran.set(Thread.currentThread()));
		SynchronousQueue<String> statuses = new SynchronousQueue<>();
		registry.performAsync("x", null, result -> {
			told.set(Thread.currentThread());
			statuses.put(result.status());
		});
		same(statuses.poll(LIMIT, TimeUnit.MILLISECONDS), "performed");
		is(ran.get() != Thread.currentThread() && told.get() != Thread.currentThread(), "it was called here");
		Task task = registry.perform("x", null);
		is(ran.get() == Thread.currentThread(), "it was not called here");
		task.onDone(result -> statuses.put(result.status() + " again"));
		same(statuses.poll(LIMIT, TimeUnit.MILLISECONDS), "performed again");
		registry.performAsync("x", null, result -> {
			throw new IllegalStateException("nobody cares");
		}).await(LIMIT);
	}

	private static void manyThreads() throws Exception {
		Registry registry = new Registry(null);
		AtomicInteger count = new AtomicInteger(), wrong = new AtomicInteger();
		registry.register("count", invocation -> count.addAndGet((int) invocation.arguments().getInt64("n", 0)));
		CountDownLatch ended = new CountDownLatch(8);
		for (int i = 0; i < 8; i++) {
			new Thread(() -> {
				Arguments arguments = new Arguments();
				arguments.setInt64("n", 1);
				for (int n = 0; n < 2000; n++) {
					if (!registry.perform("COUNT", arguments).result().isPerformed()) {
						wrong.incrementAndGet();
					}
				}
				ended.countDown();
			}).start();
		}
		is(ended.await(LIMIT, TimeUnit.MILLISECONDS), "the threads do not end");
		same(wrong.get(), 0);
		same(count.get(), 16000);
	}

	private static void interrupted() throws Exception {
		Registry registry = new Registry(null);
		AtomicReference<Completion> completion = new AtomicReference<>();
		registry.register("later", invocation -> completion.set(invocation.later()));
		Task task = registry.perform("later", null);
		Thread.currentThread().interrupt();
		new Thread(() -> completion.get().succeed()).start();
		Result result = task.await(LIMIT);
		is(Thread.interrupted(), "the interruption is lost");
		result.check();
	}
}
