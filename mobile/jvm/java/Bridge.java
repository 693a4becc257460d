package io.github.rehearsalsdk.proof;

import static io.github.rehearsalsdk.proof.Checks.is;
import static io.github.rehearsalsdk.proof.Checks.same;
import static io.github.rehearsalsdk.proof.Checks.thrown;

import io.github.rehearsalsdk.actions.Action;
import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Arguments;
import io.github.rehearsalsdk.actions.Registration;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Result;
import io.github.rehearsalsdk.trouble.Trouble;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Checks what only a real crossing between Java and Go can show: exceptions, texts, bytes. */
public final class Bridge {
	private static final long LIMIT = 60_000;

	public static void main(String[] arguments) throws Exception {
		Checks checks = new Checks();
		checks.check("constants", Bridge::constants);
		checks.check("an action of Java's performed by Java", Bridge::perform);
		checks.check("errors of Go are exceptions with a code", Bridge::errors);
		checks.check("the same exception comes back", Bridge::sameException);
		checks.check("a host that throws, at every method", Bridge::throwingHost);
		checks.check("Go that panics and Go errors that cannot be held", Bridge::panics);
		checks.check("odd strings", Bridge::oddStrings);
		checks.check("a mebibyte of bytes and of text", Bridge::large);
		checks.check("null where an object could be", Bridge::nulls);
		checks.check("a signal that is not Go's reaches who had it before", Bridge::signals);
		checks.done();
	}

	private static void constants() {
		is(Actions.Version.matches("\\d+\\.\\d+\\.\\d+"), Actions.Version);
		is(Actions.APILevel >= 1, "the API level is " + Actions.APILevel);
		same(Actions.StatusPerformed, "performed");
		same(Actions.PermissionNotDetermined, "not_determined");
	}

	private static void perform() throws Exception {
		Registry registry = new Registry(null);
		Thread here = Thread.currentThread();
		Registration registration = registry.register("Say-Hello", invocation -> {
			same(Thread.currentThread(), here);
			same(invocation.identifier(), "Say-Hello");
			same(invocation.source().kind(), Actions.SourceManual);
			same(invocation.item(), -1);
			invocation.setValue(Actions.stringValue("hello, " + invocation.arguments().getStringOrThrow("name")));
		});
		Arguments arguments = new Arguments();
		arguments.setString("name", "Ada");
		Result result = registry.perform("say-HELLO", arguments).result();
		result.check();
		same(result.value().asString(""), "hello, Ada");
		same(result.json(), "{\"status\":\"performed\",\"value\":\"hello, Ada\"}");
		is(registration.perform(arguments).result().isPerformed(), "not performed by its registration");
		is(registry.perform("say-hello", null).result().message().contains("\"name\""), "the message does not name the argument");
		is(registration.unregister(), "not unregistered");
		same(registry.perform("say-hello", arguments).result().status(), Actions.StatusNotFound);
	}

	private static void errors() {
		Registry registry = new Registry(null);
		Action nothing = invocation -> { };
		same(Actions.errorCode(thrown(() -> registry.register(" ", nothing)).getMessage()), Actions.CodeInvalidIdentifier);
		same(Actions.errorCode(thrown(() -> registry.register("Service.x", nothing)).getMessage()), Actions.CodeReservedIdentifier);
		same(Actions.errorCode(thrown(() -> registry.register("x", null)).getMessage()), Actions.CodeInvalidHandler);
		same(Actions.errorCode(thrown(() -> registry.unregister("service.x")).getMessage()), Actions.CodeReservedIdentifier);
		same(Actions.errorCode(thrown(() -> Actions.argumentsFromJSON("{")).getMessage()), Actions.CodeInvalidJSON);
		same(Actions.errorCode(thrown(() -> registry.perform("nobody", null).result().check()).getMessage()), Actions.StatusNotFound);
		same(Actions.errorCode(thrown(() -> new Arguments().getStringOrThrow("t")).getMessage()), Actions.StatusInvalidArguments);
	}

	private static Result performed(Action action) throws Exception {
		Registry registry = new Registry(null);
		registry.register("x", action);
		Result result = registry.perform("x", null).result();
		Result again = registry.performAsync("x", null, null).await(LIMIT);
		same(again.status(), result.status());
		return result;
	}

	private static void sameException() throws Exception {
		IOException exception = new IOException("thrown on purpose: ü");
		Result result = performed(invocation -> {
			throw exception;
		});
		same(result.status(), Actions.StatusFailed);
		same(result.message(), "thrown on purpose: ü");
		is(thrown(result::check) == exception, "another exception came back");

		// An error of Go's that goes through Java is still the same one.
		Result code = performed(invocation -> invocation.arguments().getStringOrThrow("name"));
		same(Actions.errorCode(thrown(code::check).getMessage()), Actions.StatusInvalidArguments);
	}

	private static void throwingHost() throws Exception {
		Registry registry = new Registry(null);
		Exception exception = new Exception("thrown by the host");
		Thrower.install(registry, exception);
		Arguments arguments = Actions.argumentsFromJSON("{\"t\":\"t\",\"l\":\"https://example.com\",\"a\":\"add\",\"c\":\"c\"}");
		Arguments remove = Actions.argumentsFromJSON("{\"t\":\"t\",\"a\":\"remove\",\"c\":\"c\"}");
		Arguments event = Actions.argumentsFromJSON("{\"e\":\"e\"}");
		for (String identifier : new String[] {"dismiss", "deeplink", "request_notifications", "redirect_settings", "smart_reoptin", "user.tag",
				"user.event", "tracking_consent", "clipboard", "rating"}) {
			Result result = registry.perform("service." + identifier, identifier.equals("user.event") ? event : arguments).result();
			same(identifier + " " + result.status(), identifier + " " + Actions.StatusFailed);
			is(thrown(result::check) == exception, identifier + " gives another exception");
		}
		same(registry.perform("service.user.tag", remove).result().status(), Actions.StatusFailed);
		registry.setLinkInterceptor(null);
		same(registry.perform("service.deeplink", arguments).result().status(), Actions.StatusFailed);
	}

	private static void panics() throws Exception {
		Registry registry = new Registry(null);
		registry.register("panic", Trouble.panickingAction());
		registry.register("odd", Trouble.oddAction());
		registry.setClipboard(Trouble.panickingClipboard());
		same(registry.perform("panic", null).result().status(), Actions.StatusFailed);
		Result odd = registry.perform("odd", null).result();
		same(odd.message(), "an odd error");
		same(thrown(odd::check).getMessage(), "failed: an odd error");
		same(registry.perform("service.clipboard", Actions.argumentsFromJSON("{\"t\":\"x\"}")).result().status(), Actions.StatusFailed);
		same(registry.performAsync("panic", null, Trouble.panickingListener()).await(LIMIT).status(), Actions.StatusFailed);
		same(registry.performAsync("odd", null, null).await(LIMIT).status(), Actions.StatusFailed);
	}

	private static void oddStrings() throws Exception {
		Registry registry = new Registry(null);
		String[][] pairs = {{"", ""}, {"ü€\uD83D\uDE00", "ü€\uD83D\uDE00"}, {"a\0b", "a\0b"}, {"\uD83D", "\uFFFD"}, {"x\uDE00y", "x\uFFFDy"},
				{"\uD83Dx", "\uFFFDx"}, {"\uFFFF\uFEFF\u2028", "\uFFFF\uFEFF\u2028"}, {null, ""}};
		for (String[] pair : pairs) {
			Arguments arguments = new Arguments();
			arguments.setString("k" + pair[0], pair[0]);
			same(arguments.getString("k" + (pair[0] == null ? "null" : pair[1]), "-"), pair[1]);
			String[] seen = new String[1];
			registry.register("x" + pair[0], invocation -> seen[0] = invocation.arguments().getString(invocation.arguments().keys().at(0), "-"));
			registry.perform("X" + pair[0], arguments).result().check();
			same(seen[0], pair[1]);
		}
	}

	private static void large() throws Exception {
		char[] letters = new char[1 << 20];
		Arrays.fill(letters, 'ä');
		String text = new String(letters);
		byte[] json = ("{\"t\":\"" + text + "\"}").getBytes(StandardCharsets.UTF_8);
		is(json.length > 1 << 20, "too small");
		Arguments arguments = Actions.argumentsFromBytes(json);
		Arrays.fill(json, (byte) 'x');
		same(arguments.getString("t", ""), text);
		same(Actions.argumentsFromJSON(arguments.json()).getString("t", ""), text);
		same(Actions.errorCode(thrown(() -> Actions.argumentsFromBytes(new byte[0])).getMessage()), Actions.CodeInvalidJSON);
		same(Actions.errorCode(thrown(() -> Actions.argumentsFromBytes(null)).getMessage()), Actions.CodeInvalidJSON);
		same(Actions.errorCode(thrown(() -> Actions.argumentsFromBytes(new byte[] {(byte) 0xff})).getMessage()), Actions.CodeInvalidJSON);
	}

	private static void nulls() throws Exception {
		Registry registry = new Registry(null);
		registry.setClipboard(null);
		registry.register("x", invocation -> invocation.setValue(null));
		is(registry.perform("x", null).result().value() == null, "there is a value");
		is(registry.trigger(null, null, null).cancel(), "what is held was not canceled");
		registry.performAsync("x", null, null).onDone(null);
		registry.perform(null, null);
		Arguments arguments = new Arguments();
		arguments.setList("l", null);
		arguments.setArguments("a", null);
		arguments.setValue("v", null);
		same(arguments.json(), "{\"a\":{},\"l\":[],\"v\":null}");
		is(new Arguments().equals(new Arguments()), "two objects differ, which README.md denies");
	}

	private static final class Box {
		int number;
	}

	/** A JVM reads from null and takes the SIGSEGV that comes of it, which Go has taken over when it was loaded: it has to give it back. */
	private static void signals() {
		new Registry(null);
		Box[] boxes = {null, new Box()};
		int thrown = 0, read = 0;
		for (int i = 0; i < 2000; i++) {
			try {
				read += boxes[i % 2].number + 1;
			} catch (NullPointerException expected) {
				thrown++;
			}
		}
		same(thrown, 1000);
		same(read, 1000);
	}
}
