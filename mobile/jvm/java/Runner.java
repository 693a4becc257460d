package io.github.rehearsalsdk.proof;

import io.github.rehearsalsdk.actions.Action;
import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.ArgumentList;
import io.github.rehearsalsdk.actions.Arguments;
import io.github.rehearsalsdk.actions.Completion;
import io.github.rehearsalsdk.actions.Options;
import io.github.rehearsalsdk.actions.ProblemList;
import io.github.rehearsalsdk.actions.Registration;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Result;
import io.github.rehearsalsdk.actions.StringList;
import io.github.rehearsalsdk.actions.Task;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Does the steps of vectors with the bindings. The Go package mobile/internal/proof describes what it reads and writes. */
public final class Runner {
	private static final boolean IN_BACKGROUND = Boolean.getBoolean("background");
	private Phone phone;
	private Registry registry;
	private final Map<String, Registration> registrations = new HashMap<>();
	private final List<Task> tasks = new ArrayList<>();
	private final ArrayDeque<Turn> turns = new ArrayDeque<>();

	/** What a vector leaves for a later turn. */
	private interface Turn {
		void happen() throws Exception;
	}

	public static void main(String[] arguments) throws Exception {
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		PrintStream out = new PrintStream(System.out, false, "UTF-8");
		Runner runner = new Runner();
		for (String line; (line = in.readLine()) != null; ) {
			Arguments answer;
			try {
				answer = runner.answer(Actions.argumentsFromJSON(line));
			} catch (Throwable failure) {
				answer = new Arguments();
				answer.setString("failure", failure.toString());
			}
			out.println(answer.json());
			out.flush();
		}
		System.exit(0); // threads that Go has attached are no daemons
	}

	private Arguments answer(Arguments request) throws Exception {
		Arguments answer = new Arguments();
		switch (request.getString("op", "")) {
			case "new":
				create(request.getArguments("host"));
				break;
			case "do":
				perform(request.getArguments("step"), answer);
				break;
			case "look":
				look((int) request.getInt64("task", -1), answer);
				break;
			case "turn":
				Turn turn = turns.poll();
				if (turn != null) {
					turn.happen();
					flush();
				}
				answer.setBool("turned", turn != null);
				break;
			case "effects":
				answer.setList("effects", phone.effects());
				break;
			default:
				throw new IllegalArgumentException("unknown op");
		}
		return answer;
	}

	private void create(Arguments host) {
		Options options = new Options();
		options.setPlatform(host.getString("platform", ""), host.getString("version", ""));
		registry = new Registry(options);
		phone = new Phone(host);
		phone.install(registry);
		registrations.clear();
		tasks.clear();
		turns.clear();
	}

	/** Waits until the worker has done what it had to do: it does one thing at a time, in order. */
	private void flush() {
		if (registry.performAsync("nothing.is.registered.as.this", null, null).await(60_000) == null) {
			throw new IllegalStateException("the worker does not come to an end");
		}
	}

	private void perform(Arguments step, Arguments answer) throws Exception {
		String subject = step.getString("subject", "");
		Arguments reply = new Arguments();
		answer.setNull("answer");
		switch (step.getString("do", "")) {
			case "register":
				try {
					registrations.put(step.getString("as", ""), registry.register(subject, action(step.getString("handler", ""))));
					reply.setBool("ok", true);
				} catch (Exception refused) {
					reply.setBool("ok", false);
					reply.setString("error", Actions.errorCode(refused.getMessage()));
				}
				break;
			case "unregister":
				reply.setBool("removed", false);
				try {
					reply.setBool("removed", registry.unregister(subject));
				} catch (Exception refused) {
					reply.setString("error", Actions.errorCode(refused.getMessage()));
				}
				break;
			case "dispose":
				reply.setBool("removed", registrations.get(subject).unregister());
				break;
			case "perform":
				begun(perform(subject, arguments(step, "arguments")), answer);
				return;
			case "trigger":
				begun(registry.trigger(subject, arguments(step, "arguments"),
						new io.github.rehearsalsdk.actions.Source(step.getString("kind", ""), arguments(step, "payload"))), answer);
				return;
			case "start":
				registry.start();
				reply.setBool("ok", true);
				break;
			case "validate":
				validate(registry.validate(subject, arguments(step, "arguments")), reply);
				break;
			case "capability":
				reply.setString("state", registry.capability(subject));
				break;
			case "list":
				StringList identifiers = registry.list();
				ArgumentList list = new ArgumentList();
				for (int i = 0; i < identifiers.count(); i++) {
					list.addString(identifiers.at(i));
				}
				reply.setList("identifiers", list);
				break;
			default:
				throw new IllegalArgumentException("unknown step");
		}
		answer.setArguments("answer", reply);
	}

	/** Performs here or on the worker, and in both cases comes back when all is done that can be done now. */
	private Task perform(String identifier, Arguments arguments) {
		if (!IN_BACKGROUND) {
			return registry.perform(identifier, arguments);
		}
		Task task = registry.performAsync(identifier, arguments, null);
		flush();
		return task;
	}

	private static void validate(ProblemList problems, Arguments reply) {
		ArgumentList at = new ArgumentList();
		for (int i = 0; i < problems.count(); i++) {
			at.addString(problems.at(i).pointer());
		}
		reply.setBool("ok", problems.count() == 0);
		reply.setList("at", at);
	}

	/** Arguments cross as JSON; null stays null. */
	private static Arguments arguments(Arguments step, String key) throws Exception {
		String json = step.getString(key, "");
		return json.isEmpty() ? null : Actions.argumentsFromJSON(json);
	}

	private void begun(Task task, Arguments answer) throws Exception {
		tasks.add(task);
		answer.setInt64("task", tasks.size() - 1);
		look(tasks.size() - 1, answer);
	}

	private void look(int number, Arguments answer) throws Exception {
		Result result = tasks.get(number).result();
		if (result != null) {
			answer.setValue("answer", Actions.valueFromJSON(result.json()));
		}
	}

	/** Makes the actions that a vector may name. */
	private Action action(String name) {
		switch (name) {
			case "record":
				return phone::record;
			case "fail":
				return invocation -> {
					throw new Exception("failed on purpose");
				};
			case "panic":
				return invocation -> {
					throw new IllegalStateException("panicked on purpose");
				};
			case "wait":
			case "wait-record":
				return invocation -> {
					Completion completion = invocation.later();
					turns.add(() -> {
						if (name.equals("wait-record")) {
							phone.record(invocation);
						}
						completion.succeed();
					});
				};
			default:
				if (!name.startsWith("perform:")) {
					return null;
				}
				String other = name.substring("perform:".length());
				return invocation -> invocation.endAs(invocation.perform(other, invocation.arguments()));
		}
	}
}
