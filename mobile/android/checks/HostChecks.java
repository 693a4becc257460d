package io.github.rehearsalsdk.proof;

import static io.github.rehearsalsdk.proof.Checks.is;
import static io.github.rehearsalsdk.proof.Checks.same;

import android.app.Activity;
import android.app.Application;
import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Arguments;
import io.github.rehearsalsdk.actions.Event;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Result;
import io.github.rehearsalsdk.actions.Task;
import io.github.rehearsalsdk.android.AndroidHost;
import io.github.rehearsalsdk.android.UserDataSink;
import io.github.rehearsalsdk.fake.Device;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Drives the Android host through the real library, on a device that is made up. */
public final class HostChecks {
	private static final long LIMIT = 60_000;
	private static Application application;
	private static AndroidHost host;
	private static Registry registry;

	public static void main(String[] arguments) throws Exception {
		Checks checks = new Checks();
		checks.check("the clipboard, on the main thread", HostChecks::clipboard);
		checks.check("deeplinks", HostChecks::links);
		checks.check("deeplinks inside the app", HostChecks::linksInside);
		checks.check("deeplinks that nobody opens", HostChecks::linksNowhere);
		checks.check("activities that are hidden open nothing", HostChecks::hidden);
		checks.check("settings", HostChecks::settings);
		checks.check("settings where there are none", HostChecks::noSettings);
		if (Device.SDK < 33) {
			checks.check("notifications without a prompt", HostChecks::noPrompt);
		} else if (Device.TARGET < 33) {
			checks.check("notifications where the system asks by itself", HostChecks::systemPrompt);
		} else {
			checks.check("the prompt, agreed to", () -> prompt(true));
			checks.check("the prompt, refused", () -> prompt(false));
			checks.check("two who ask are answered by one prompt", HostChecks::twoAsk);
			checks.check("the prompt without an activity", HostChecks::noActivity);
			checks.check("the prompt in the background", HostChecks::background);
			checks.check("the prompt while an activity is made", HostChecks::fromCreation);
			checks.check("the smart re-opt-in", HostChecks::reoptin);
			checks.check("switched off in the settings", HostChecks::switchedOff);
		}
		checks.check("reviews by what the app gave", HostChecks::reviews);
		checks.check("tags and events to what the app gave", HostChecks::userData);
		checks.check("dismissing by what the app gave", HostChecks::dismiss);
		checks.check("what a bare host lacks is unsupported", HostChecks::lacking);
		checks.check("performing on the main thread never blocks it", HostChecks::mainThread);
		checks.check("activities are held weakly", HostChecks::weakly);
		checks.done();
	}

	/** A new app on a device as it comes out of the box. */
	private static void fresh() throws Exception {
		Device.clip = null;
		Device.clipThread = null;
		Device.started.clear();
		Device.forget();
		Device.takes = intent -> true;
		Device.granted = Device.refusedOnce = Device.throwsSecurity = Device.busy = Device.early = false;
		Device.enabled = true;
		Device.prompts = 0;
		application = new Application();
		host = new AndroidHost(application);
		registry = new Registry(host.options());
		host.install(registry);
		registry.start();
	}

	private static Activity activity() throws Exception {
		Activity activity = new Activity();
		java.lang.reflect.Field field = Activity.class.getDeclaredField("application");
		field.setAccessible(true);
		field.set(activity, application);
		return activity;
	}

	/** The app with an activity on the screen. */
	private static Activity shown() throws Exception {
		fresh();
		Activity activity = activity();
		Device.onMain(() -> Device.callbacks.onActivityResumed(activity));
		return activity;
	}

	private static Task perform(String identifier, String json) throws Exception {
		return registry.perform(identifier, json == null ? null : Actions.argumentsFromJSON(json));
	}

	private static Result result(String identifier, String json) throws Exception {
		Result result = perform(identifier, json).await(LIMIT);
		is(result != null, "there is no result");
		return result;
	}

	private static void clipboard() throws Exception {
		fresh();
		result("service.clipboard", "{\"t\":\"grüße\"}").check();
		same(Device.clip, "grüße");
		is(Device.clipThread.getName().equals("main of the device"), "it was set on " + Device.clipThread);
		result("service.clipboard", "{\"t\":\"\"}").check();
		same(Device.clip, Device.SDK < 28 ? "" : null);
	}

	private static void started(String... intents) {
		same(Device.started, Arrays.asList(intents));
	}

	private static void links() throws Exception {
		fresh();
		result("service.deeplink", "{\"l\":\"shop://cart\"}").check();
		started("app android.intent.action.VIEW shop://cart flags 268435456");
		shown();
		result("service.deeplink", "{\"l\":\"shop://cart\"}").check();
		started("activity android.intent.action.VIEW shop://cart");
		shown();
		result("service.deeplink", "{\"l\":\"SHOP://Cart\"}").check();
		started("activity android.intent.action.VIEW shop://Cart");
	}

	private static void hidden() throws Exception {
		Activity below = shown();
		Activity above = activity();
		Device.onMain(() -> {
			Device.callbacks.onActivityPaused(below);
			Device.callbacks.onActivityCreated(above, null);
			Device.callbacks.onActivityStarted(above);
			Device.callbacks.onActivityResumed(above);
			Device.callbacks.onActivityStopped(above);
		});
		result("service.deeplink", "{\"l\":\"shop://cart\"}").check();
		Device.onMain(() -> Device.callbacks.onActivityDestroyed(below));
		result("service.deeplink", "{\"l\":\"shop://cart\"}").check();
		started("activity android.intent.action.VIEW shop://cart", "app android.intent.action.VIEW shop://cart flags 268435456");
	}

	private static void linksInside() throws Exception {
		shown();
		result("service.deeplink", "{\"l\":\"https://example.com/a\",\"li\":true}").check();
		started("activity android.intent.action.VIEW https://example.com/a in com.example.app");
		shown();
		Device.takes = intent -> !intent.toString().contains(" in ");
		result("service.deeplink", "{\"l\":\"HTTPS://example.com/a\",\"li\":true}").check();
		started("activity android.intent.action.VIEW https://example.com/a {bundle={android.support.customtabs.extra.SESSION=null}}");
		shown();
		Device.takes = intent -> !intent.toString().contains(" in ") && !intent.toString().contains("SESSION");
		result("service.deeplink", "{\"l\":\"https://example.com/a\",\"li\":true}").check();
		result("service.deeplink", "{\"l\":\"shop:cart\",\"li\":true}").check();
		started("activity android.intent.action.VIEW https://example.com/a", "activity android.intent.action.VIEW shop:cart");
	}

	private static void linksNowhere() throws Exception {
		shown();
		Device.takes = intent -> false;
		same(result("service.deeplink", "{\"l\":\"shop:cart\"}").status(), Actions.StatusFailed);
		same(result("service.deeplink", "{\"l\":\"https://example.com\",\"li\":true}").status(), Actions.StatusFailed);
		started();
		Device.throwsSecurity = true;
		same(result("service.deeplink", "{\"l\":\"shop:cart\"}").status(), Actions.StatusBlocked);
	}

	private static void settings() throws Exception {
		shown();
		result("service.redirect_settings", null).check();
		started(Device.SDK >= 26
				? "activity android.settings.APP_NOTIFICATION_SETTINGS {android.provider.extra.APP_PACKAGE=com.example.app}"
				: "activity android.settings.APP_NOTIFICATION_SETTINGS {app_package=com.example.app, app_uid=10123}");
		Device.started.clear();
		Device.takes = intent -> !intent.toString().contains("NOTIFICATION");
		result("service.ios_redirect_settings", null).check();
		started("activity android.settings.APPLICATION_DETAILS_SETTINGS package:com.example.app");
	}

	private static void noSettings() throws Exception {
		fresh();
		Device.takes = intent -> false;
		same(result("service.redirect_settings", null).status(), Actions.StatusUnsupported);
	}

	private static void permission(Result result, String wanted) throws Exception {
		result.check();
		same(result.value().asString("nothing"), wanted);
	}

	private static void noPrompt() throws Exception {
		shown();
		permission(result("service.request_notifications", null), Actions.PermissionAuthorized);
		Device.enabled = false;
		permission(result("service.request_notifications", null), Device.SDK < 24 ? Actions.PermissionAuthorized : Actions.PermissionDenied);
		same(Device.prompts, 0);
		result("service.smart_reoptin", null).check();
		is(Device.started.get(0).contains("APP_NOTIFICATION_SETTINGS"), "the settings were not opened");
	}

	private static void systemPrompt() throws Exception {
		shown();
		same(result("service.request_notifications", null).status(), Actions.StatusBlocked);
		same(Device.prompts, 0);
	}

	/** Waits until the main thread has done what it had to do. */
	private static void settle() throws Exception {
		Device.onMain(() -> { });
	}

	private static void prompt(boolean yes) throws Exception {
		shown();
		Task task = perform("service.request_notifications", null);
		settle();
		same(Device.prompts, 1);
		is(task.result() == null, "it did not wait for the user");
		Device.answer(yes, () -> { });
		permission(task.await(LIMIT), yes ? Actions.PermissionAuthorized : Actions.PermissionDenied);
		if (yes) {
			permission(result("service.request_notifications", null), Actions.PermissionAuthorized);
			same(Device.prompts, 1);
		}
	}

	private static void twoAsk() throws Exception {
		shown();
		Task first = perform("service.request_notifications", null);
		Task second = perform("service.ios_request_notifications", null);
		settle();
		same(Device.prompts, 1);
		Device.answer(true, () -> { });
		permission(first.await(LIMIT), Actions.PermissionAuthorized);
		permission(second.await(LIMIT), Actions.PermissionAuthorized);
	}

	private static void noActivity() throws Exception {
		fresh();
		same(result("service.request_notifications", null).status(), Actions.StatusBlocked);
		same(Device.files.list().length, 0);
	}

	private static void background() throws Exception {
		Activity activity = shown();
		Device.onMain(() -> {
			Device.callbacks.onActivityPaused(activity);
			Device.callbacks.onActivityStopped(activity);
		});
		same(result("service.smart_reoptin", null).status(), Actions.StatusBlocked);
		same(Device.prompts, 0);
		Device.onMain(() -> {
			Device.callbacks.onActivityStarted(activity);
			Device.callbacks.onActivityResumed(activity);
		});
		Task task = perform("service.smart_reoptin", null);
		settle();
		same(Device.prompts, 1); // the user was not asked before
		Device.answer(true, () -> { });
		permission(task.await(LIMIT), Actions.PermissionAuthorized);
	}

	/** The user is asked, and answers. */
	private static void prompted(String wanted, boolean yes) throws Exception {
		Task task = perform("service.smart_reoptin", null);
		settle();
		same(Device.prompts, 1);
		Device.answer(yes, () -> { });
		permission(task.await(LIMIT), wanted);
	}

	private static void fromCreation() throws Exception {
		Activity below = shown();
		Activity activity = activity();
		Device.early = true;
		Task[] task = new Task[1];
		Device.onMain(() -> {
			Device.callbacks.onActivityPaused(below);
			Device.callbacks.onActivityCreated(activity, null);
			task[0] = perform("service.request_notifications", null);
			Device.callbacks.onActivityStarted(activity);
			Device.callbacks.onActivityResumed(activity);
			is(task[0].result() == null, "it did not wait for the user");
			Device.callbacks.onActivityPaused(activity);
		});
		same(Device.prompts, 1);
		Device.answer(true, () -> { });
		permission(task[0].await(LIMIT), Actions.PermissionAuthorized);
	}

	private static void reoptin() throws Exception {
		shown();
		prompted(Actions.PermissionDenied, false);
		started();
		result("service.smart_reoptin", null).check();
		same(Device.prompts, 1);
		same(Device.started.size(), 1);
		is(Device.started.get(0).contains("APP_NOTIFICATION_SETTINGS"), "the settings were not opened");
	}

	private static void switchedOff() throws Exception {
		shown();
		Device.granted = true;
		Device.enabled = false;
		permission(result("service.request_notifications", null), Actions.PermissionDenied);
	}

	private static void reviews() throws Exception {
		shown();
		same(result("service.rating", null).status(), Actions.StatusUnsupported);
		Activity[] given = new Activity[1];
		host.reviewsBy((activity, completion) -> {
			given[0] = activity;
			is(Device.isMain(), "not on the main thread");
			new Thread(completion::succeed).start();
		});
		host.install(registry);
		same(result("service.rating", null).value().asString(""), "requested");
		is(given[0] != null, "there was no activity");
		host.reviewsBy((activity, completion) -> {
			throw new Exception("no store");
		}).install(registry);
		same(result("service.rating", null).message(), "service.rating: no store");
	}

	private static void userData() throws Exception {
		fresh();
		List<String> kept = new ArrayList<>();
		host.userDataTo(new UserDataSink() {
			@Override public void addTag(String collection, String tag) {
				kept.add("add " + collection + " " + tag);
			}

			@Override public void removeTag(String collection, String tag) throws Exception {
				throw new Exception("offline");
			}

			@Override public void trackEvent(Event event) throws Exception {
				kept.add(event.json());
			}
		}).install(registry);
		result("service.user.tag", "{\"a\":\"add\",\"c\":\"interests\",\"t\":\"shoes\"}").check();
		same(result("service.user.tag", "{\"a\":\"remove\",\"c\":\"interests\",\"t\":\"shoes\"}").message(), "service.user.tag: offline");
		result("service.user.event", "{\"e\":\"bought\"}").check();
		same(kept, Arrays.asList("add interests shoes", "{\"data\":{},\"label\":null,\"name\":\"bought\",\"tags\":[]}"));
	}

	private static void dismiss() throws Exception {
		fresh();
		same(result("service.dismiss", null).status(), Actions.StatusUnsupported);
		boolean[] main = new boolean[1];
		host.dismissBy(() -> main[0] = Device.isMain()).install(registry);
		result("service.dismiss", null).check();
		is(main[0], "not on the main thread");
	}

	private static void lacking() throws Exception {
		fresh();
		for (String identifier : new String[] {"service.rating", "service.dismiss", "service.tracking_consent"}) {
			same(registry.capability(identifier), Actions.StateUnsupported);
		}
		same(registry.capability("service.clipboard"), Actions.StateAvailable);
	}

	private static void mainThread() throws Exception {
		shown();
		Task[] task = new Task[2];
		Device.onMain(() -> {
			task[0] = perform("service.clipboard", "{\"t\":\"x\"}");
			is(task[0].result() != null && task[0].result().isPerformed(), "the clipboard was not written at once");
			Arguments group = Actions.argumentsFromJSON("{\"actions\":[[\"service.request_notifications\",{}],[\"service.clipboard\",{\"t\":\"last\"}]]}");
			task[1] = registry.perform("service.group", group);
		});
		if (Device.prompts > 0) {
			is(!Device.clip.equals("last"), "the group did not wait for the user");
			Device.answer(true, () -> { });
		}
		is(task[1].await(LIMIT) != null, "the group does not end");
		same(Device.clip, "last");
	}

	private static void weakly() throws Exception {
		fresh();
		java.lang.ref.WeakReference<Activity> reference = new java.lang.ref.WeakReference<>(activity());
		host.setActivity(reference.get());
		for (int i = 0; i < 50 && reference.get() != null; i++) {
			System.gc();
		}
		is(reference.get() == null, "it is still there");
	}
}
