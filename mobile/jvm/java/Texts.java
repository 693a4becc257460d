package io.github.rehearsalsdk.proof;

import static io.github.rehearsalsdk.proof.Checks.is;
import static io.github.rehearsalsdk.proof.Checks.same;

import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Caller;
import io.github.rehearsalsdk.actions.Registration;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Task;
import java.util.concurrent.atomic.AtomicReference;

/** Checks performs by texts alone, and with the JVM's own settings how much memory many of them take. */
public final class Texts {
	private static final int MEGABYTE = 1 << 10;

	public static void main(String[] arguments) throws Exception {
		Checks checks = new Checks();
		checks.check("texts cross both ways", Texts::across);
		checks.check("the exception of the action comes back", Texts::thrown);
		checks.check("what goes on is told by the task", Texts::goingOn);
		checks.check("an action may perform another by text", Texts::nested);
		checks.check("performs within 100 MB", Texts::performs);
		checks.done();
	}

	private static void across() throws Exception {
		Registry registry = new Registry(null);
		Registration echo = registry.registerJSON("echo", given -> given);
		registry.registerJSON("quiet", given -> "");
		Caller caller = registry.caller();
		same(caller.perform("Echo", "{\"a\":\"gr\u00fc\u00dfe \ud83d\ude00\"}"), "{\"status\":\"performed\",\"value\":{\"a\":\"gr\u00fc\u00dfe \ud83d\ude00\"}}");
		same(echo.performJSON(""), "{\"status\":\"performed\",\"value\":{}}");
		same(caller.perform("quiet", null), "");
		is(caller.perform("quiet", "[").startsWith("{\"status\":\"invalid_arguments\""), "no JSON is taken");
		is(caller.perform("nobody", "").startsWith("{\"status\":\"not_found\""), "nobody is found");
	}

	private static void thrown() throws Exception {
		Registry registry = new Registry(null);
		Exception own = new Exception("no tea");
		registry.registerJSON("fail", given -> {
			throw own;
		});
		Caller caller = registry.caller();
		same(caller.perform("fail", ""), "{\"status\":\"failed\",\"message\":\"no tea\"}");
		try {
			caller.task().result().check();
			is(false, "nothing is thrown");
		} catch (Exception e) {
			is(e == own, "another exception is thrown");
		}
		caller.close();
		is(caller.task() == null, "a closed caller has a task");
	}

	private static void goingOn() throws Exception {
		Registry registry = new Registry(null);
		AtomicReference<Runnable> end = new AtomicReference<>();
		registry.register("later", invocation -> end.set(invocation.later()::succeed));
		Caller caller = registry.caller();
		same(caller.perform("later", ""), Actions.CallerGoesOn);
		Task task = caller.task();
		is(!task.isDone(), "it has ended");
		end.get().run();
		same(task.await(60_000).status(), Actions.StatusPerformed);
	}

	private static void nested() throws Exception {
		Registry registry = new Registry(null);
		registry.registerJSON("inner", given -> given);
		registry.registerJSON("outer", given -> registry.caller().perform("inner", given));
		same(registry.caller().perform("outer", "{\"n\":1}"), "{\"status\":\"performed\",\"value\":{\"status\":\"performed\",\"value\":{\"n\":1}}}");
	}

	private static void performs() throws Exception {
		Registry registry = new Registry(null);
		int[] count = new int[1];
		registry.registerJSON("count", given -> {
			count[0] += given.length();
			return "";
		});
		Caller caller = registry.caller();
		perform(caller, Memory.PERFORMS / 50); // what is there once
		long before = Memory.resident(), most = before;
		for (int i = 0; i < 50; i++) {
			perform(caller, Memory.PERFORMS / 50);
			most = Math.max(most, Memory.resident());
		}
		same(count[0], Memory.PERFORMS / 50 * 51 * "{\"n\":1}".length());
		System.out.println("from " + before + " kB to at most " + most + " kB");
		is(most < before + 100 * MEGABYTE, "it has grown from " + before + " to " + most + " kB");
	}

	private static void perform(Caller caller, int times) {
		for (int i = 0; i < times; i++) {
			caller.perform("count", "{\"n\":1}");
		}
	}
}
