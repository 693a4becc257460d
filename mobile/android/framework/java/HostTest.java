package io.github.rehearsalsdk.proof;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.app.NotificationManager;
import android.content.ClipboardManager;
import android.content.Context;
import android.content.Intent;
import android.os.Build;
import android.os.Looper;
import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Event;
import io.github.rehearsalsdk.actions.Task;
import io.github.rehearsalsdk.android.UserDataSink;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;

/** What the host does by what the system takes and what the app gave, on every API level. */
@RunWith(RobolectricTestRunner.class)
@Config(manifest = Config.NONE, sdk = {21, 24, 30, 33, 34, 35})
public final class HostTest {
	private static final String SESSION = "android.support.customtabs.extra.SESSION";

	private static ChoosyActivity choosy() {
		return Robolectric.buildActivity(ChoosyActivity.class).setup().get();
	}

	private static boolean isMain() {
		return Looper.myLooper() == Looper.getMainLooper();
	}

	@Test public void linkWithoutActivity() throws Exception {
		App app = new App();
		app.result("service.deeplink", "{\"l\":\"shop://cart\"}").check();
		Intent intent = app.opened();
		assertEquals("shop://cart", intent.getDataString());
		assertEquals(Intent.FLAG_ACTIVITY_NEW_TASK, intent.getFlags());
	}

	@Test public void linkFromActivity() throws Exception {
		App app = new App();
		ChoosyActivity shown = choosy();
		app.result("service.deeplink", "{\"l\":\"SHOP://Cart\"}").check();
		Intent intent = shown.only();
		assertEquals(Intent.ACTION_VIEW, intent.getAction());
		assertEquals("shop://Cart", intent.getDataString());
		assertEquals(0, intent.getFlags());
	}

	@Test public void linkFromTheActivityBelow() throws Exception {
		App app = new App();
		ActivityController<Activity> below = App.shown();
		below.pause();
		ActivityController<Activity> above = App.shown();
		above.pause().stop();
		app.result("service.deeplink", "{\"l\":\"shop://cart\"}").check();
		assertEquals(0, app.opened().getFlags() & Intent.FLAG_ACTIVITY_NEW_TASK);
		below.stop().destroy();
		app.result("service.deeplink", "{\"l\":\"shop://cart\"}").check();
		assertNotEquals(0, app.opened().getFlags() & Intent.FLAG_ACTIVITY_NEW_TASK);
	}

	@Test public void linkInside() throws Exception {
		App app = new App();
		ChoosyActivity shown = choosy();
		app.result("service.deeplink", "{\"l\":\"https://example.com/a\",\"li\":true}").check();
		Intent intent = shown.only();
		assertEquals(app.application.getPackageName(), intent.getPackage());
		assertFalse(intent.hasExtra(SESSION));
		shown.takes = other -> other.getPackage() == null;
		app.result("service.deeplink", "{\"l\":\"HTTPS://example.com/a\",\"li\":true}").check();
		intent = shown.only();
		assertEquals("https://example.com/a", intent.getDataString());
		assertTrue(intent.hasExtra(SESSION));
		shown.takes = other -> other.getPackage() == null && !other.hasExtra(SESSION);
		app.result("service.deeplink", "{\"l\":\"https://example.com/a\",\"li\":true}").check();
		assertFalse(shown.only().hasExtra(SESSION));
		app.result("service.deeplink", "{\"l\":\"shop:cart\",\"li\":true}").check();
		assertEquals("shop:cart", shown.only().getDataString());
	}

	/** There is no browser, or nothing else that takes a link. */
	@Test public void linkNowhere() throws Exception {
		App app = new App();
		ChoosyActivity shown = choosy();
		shown.takes = other -> false;
		assertEquals(Actions.StatusFailed, app.result("service.deeplink", "{\"l\":\"shop:cart\"}").status());
		assertEquals(Actions.StatusFailed, app.result("service.deeplink", "{\"l\":\"https://example.com\"}").status());
		assertEquals(Actions.StatusFailed, app.result("service.deeplink", "{\"l\":\"https://example.com\",\"li\":true}").status());
		assertTrue(shown.started.isEmpty());
	}

	@Test public void refusedByTheWorkProfile() throws Exception {
		App app = new App();
		ChoosyActivity shown = choosy();
		shown.refuses = true;
		for (String link : new String[] {"{\"l\":\"shop:cart\"}", "{\"l\":\"https://example.com\",\"li\":true}"}) {
			assertEquals(Actions.StatusBlocked, app.result("service.deeplink", link).status());
		}
		assertEquals(Actions.StatusBlocked, app.result("service.redirect_settings", null).status());
		shadowOf(app.application).setSystemService(Context.CLIPBOARD_SERVICE, new ClipboardManager(app.application, null) {
			@Override public void setPrimaryClip(android.content.ClipData clip) {
				throw new SecurityException("not allowed in this profile");
			}
		});
		assertEquals(Actions.StatusBlocked, app.result("service.clipboard", "{\"t\":\"x\"}").status());
	}

	@Test public void settings() throws Exception {
		App app = new App();
		ChoosyActivity shown = choosy();
		app.result("service.redirect_settings", null).check();
		Intent intent = shown.only();
		assertEquals("android.settings.APP_NOTIFICATION_SETTINGS", intent.getAction());
		assertNull(intent.getData());
		if (Build.VERSION.SDK_INT < 26) {
			assertEquals(app.application.getPackageName(), intent.getStringExtra("app_package"));
			assertEquals(app.application.getApplicationInfo().uid, intent.getIntExtra("app_uid", -1));
			assertEquals(2, intent.getExtras().size());
		} else {
			assertEquals(app.application.getPackageName(), intent.getStringExtra("android.provider.extra.APP_PACKAGE"));
			assertEquals(1, intent.getExtras().size());
		}
		shown.takes = other -> !other.getAction().contains("NOTIFICATION");
		app.result("service.ios_redirect_settings", null).check();
		intent = shown.only();
		assertEquals("android.settings.APPLICATION_DETAILS_SETTINGS", intent.getAction());
		assertEquals("package:" + app.application.getPackageName(), intent.getDataString());
	}

	@Test public void noSettingsWithoutActivity() throws Exception {
		App app = new App();
		shadowOf(app.application).checkActivities(true);
		assertEquals(Actions.StatusUnsupported, app.result("service.redirect_settings", null).status());
	}

	@Config(sdk = {21, 24, 30})
	@Test public void notificationsWithoutPrompt() throws Exception {
		App app = new App();
		App.shown();
		App.permission(Actions.PermissionAuthorized, app.perform("service.request_notifications", null));
		if (Build.VERSION.SDK_INT >= 24) {
			NotificationManager manager = (NotificationManager) app.application.getSystemService(Context.NOTIFICATION_SERVICE);
			shadowOf(manager).setNotificationsEnabled(false);
			App.permission(Actions.PermissionDenied, app.perform("service.request_notifications", null));
		}
		assertEquals(0, app.prompts());
		app.result("service.smart_reoptin", null).check();
		assertTrue(app.opened().getAction().endsWith("APP_NOTIFICATION_SETTINGS"));
	}

	@Config(sdk = {33, 34, 35})
	@Test public void switchedOffInTheSettings() throws Exception {
		App app = new App();
		App.shown();
		shadowOf(app.application).grantPermissions(App.PERMISSION);
		NotificationManager manager = (NotificationManager) app.application.getSystemService(Context.NOTIFICATION_SERVICE);
		shadowOf(manager).setNotificationsEnabled(false);
		App.permission(Actions.PermissionDenied, app.perform("service.request_notifications", null));
	}

	@Test public void reviews() throws Exception {
		App app = new App();
		App.shown();
		assertEquals(Actions.StatusUnsupported, app.result("service.rating", null).status());
		Activity[] given = new Activity[1];
		boolean[] main = new boolean[1];
		app.host.reviewsBy((activity, completion) -> {
			given[0] = activity;
			main[0] = isMain();
			new Thread(completion::succeed).start();
		}).install(app.registry);
		Task[] task = new Task[1];
		Thread thread = new Thread(() -> task[0] = app.registry.perform("service.rating", null));
		thread.start();
		thread.join();
		assertEquals("requested", App.result(task[0]).value().asString(""));
		assertNotNull("there was no activity", given[0]);
		assertTrue("not on the main thread", main[0]);
		app.host.reviewsBy((activity, completion) -> {
			throw new Exception("no store");
		}).install(app.registry);
		assertEquals("service.rating: no store", app.result("service.rating", null).message());
	}

	@Test public void userData() throws Exception {
		App app = new App();
		List<String> kept = new ArrayList<>();
		app.host.userDataTo(new UserDataSink() {
			@Override public void addTag(String collection, String tag) {
				kept.add("add " + collection + " " + tag);
			}

			@Override public void removeTag(String collection, String tag) throws Exception {
				throw new Exception("offline");
			}

			@Override public void trackEvent(Event event) throws Exception {
				kept.add(event.json());
			}
		}).install(app.registry);
		app.result("service.user.tag", "{\"a\":\"add\",\"c\":\"interests\",\"t\":\"shoes\"}").check();
		assertEquals("service.user.tag: offline", app.result("service.user.tag", "{\"a\":\"remove\",\"c\":\"interests\",\"t\":\"shoes\"}").message());
		app.result("service.user.event", "{\"e\":\"bought\"}").check();
		assertEquals(Arrays.asList("add interests shoes", "{\"data\":{},\"label\":null,\"name\":\"bought\",\"tags\":[]}"), kept);
	}

	@Test public void dismiss() throws Exception {
		App app = new App();
		assertEquals(Actions.StatusUnsupported, app.result("service.dismiss", null).status());
		boolean[] main = new boolean[1];
		app.host.dismissBy(() -> main[0] = isMain()).install(app.registry);
		Task[] task = new Task[1];
		Thread thread = new Thread(() -> task[0] = app.registry.perform("service.dismiss", null));
		thread.start();
		thread.join();
		App.result(task[0]).check();
		assertTrue("not on the main thread", main[0]);
	}

	@Test public void lacking() throws Exception {
		App app = new App();
		for (String identifier : new String[] {"service.rating", "service.dismiss", "service.tracking_consent"}) {
			assertEquals(Actions.StateUnsupported, app.registry.capability(identifier));
		}
		assertEquals(Actions.StateAvailable, app.registry.capability("service.clipboard"));
	}

	/** Performing on the main thread never blocks it. */
	@Test public void mainThread() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		ClipboardManager clipboard = (ClipboardManager) app.application.getSystemService(Context.CLIPBOARD_SERVICE);
		assertTrue(app.registry.perform("service.clipboard", Actions.argumentsFromJSON("{\"t\":\"x\"}")).result().isPerformed());
		String group = "{\"actions\":[[\"service.request_notifications\",{}],[\"service.clipboard\",{\"t\":\"last\"}]]}";
		Task task = app.registry.perform("service.group", Actions.argumentsFromJSON(group));
		App.settle();
		if (app.prompts() > 0) {
			assertEquals("the group did not wait for the user", "x", clipboard.getPrimaryClip().getItemAt(0).getText().toString());
			shown.pause();
			app.answer(shown, true);
		}
		App.result(task);
		assertEquals("last", clipboard.getPrimaryClip().getItemAt(0).getText().toString());
	}

	@Test public void activitiesAreHeldWeakly() throws Exception {
		App app = new App();
		WeakReference<Activity> reference = new WeakReference<>(new Activity());
		app.host.setActivity(reference.get());
		for (int i = 0; i < 50 && reference.get() != null; i++) {
			System.gc();
		}
		assertNull("it is still there", reference.get());
	}
}
