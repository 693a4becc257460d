package io.github.rehearsalsdk.proof;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.content.ClipboardManager;
import android.content.Context;
import android.content.Intent;
import android.os.Build;
import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Arguments;
import io.github.rehearsalsdk.actions.Options;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Task;
import io.github.rehearsalsdk.android.AndroidHost;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;

/** The clipboard, links and settings, on every API level. */
@RunWith(RobolectricTestRunner.class)
@Config(manifest = Config.NONE, sdk = {21, 24, 30, 33, 34, 35})
public final class SystemTest {
	private static ClipboardManager clipboard(App app) {
		return (ClipboardManager) app.application.getSystemService(Context.CLIPBOARD_SERVICE);
	}

	@Test public void clipboard() throws Exception {
		App app = new App();
		app.result("service.clipboard", "{\"t\":\"grüße\"}").check();
		assertEquals("grüße", clipboard(app).getPrimaryClip().getItemAt(0).getText().toString());
		app.result("service.clipboard", "{\"t\":\"\"}").check();
		if (Build.VERSION.SDK_INT < 28) {
			assertEquals("", clipboard(app).getPrimaryClip().getItemAt(0).getText().toString());
		} else {
			assertFalse(clipboard(app).hasPrimaryClip());
		}
	}

	@Test public void clipboardFromAnotherThread() throws Exception {
		App app = new App();
		Task[] task = new Task[1];
		Arguments text = Actions.argumentsFromJSON("{\"t\":\"x\"}");
		Thread thread = new Thread(() -> task[0] = app.registry.perform("service.clipboard", text));
		thread.start();
		thread.join();
		assertNull("it is for the main thread", task[0].result());
		assertFalse(clipboard(app).hasPrimaryClip());
		App.result(task[0]).check();
		assertEquals("x", clipboard(app).getPrimaryClip().getItemAt(0).getText().toString());
	}

	@Test public void nothingAfterTheTimeLimit() throws Exception {
		App app = new App();
		Options options = app.host.options();
		options.setTimeLimit(20);
		Registry registry = new Registry(options);
		app.host.install(registry);
		Arguments text = Actions.argumentsFromJSON("{\"t\":\"x\"}");
		Task[] tasks = new Task[2];
		Thread thread = new Thread(() -> {
			tasks[0] = registry.perform("service.clipboard", text);
			tasks[1] = registry.perform("service.redirect_settings", null);
		});
		thread.start();
		thread.join();
		for (Task task : tasks) {
			assertEquals(Actions.StatusFailed, task.await(20_000).status()); // this is the main thread, and it is busy
		}
		App.settle();
		assertFalse(clipboard(app).hasPrimaryClip());
		assertNull(app.opened());
	}

	@Test public void onMainThread() throws Exception {
		App app = new App();
		Thread main = Thread.currentThread();
		Thread[] ran = new Thread[1];
		app.registry.registerOn("main", i -> ran[0] = Thread.currentThread(), AndroidHost.mainExecutor());
		assertTrue(app.registry.perform("main", null).result().isPerformed()); // at once: this is the main thread
		assertEquals(main, ran[0]);
		ran[0] = null;
		Task[] task = new Task[1];
		Thread thread = new Thread(() -> task[0] = app.registry.perform("main", null));
		thread.start();
		thread.join();
		assertNull(ran[0]);
		App.result(task[0]).check();
		assertEquals(main, ran[0]);
	}

	@Test public void noClipboard() throws Exception {
		App app = new App();
		shadowOf(app.application).setSystemService(Context.CLIPBOARD_SERVICE, null);
		assertEquals(Actions.StatusUnsupported, app.result("service.clipboard", "{\"t\":\"x\"}").status());
	}

	@Test public void linkFromActivity() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		app.result("service.deeplink", "{\"l\":\"SHOP://Cart\"}").check();
		Intent intent = app.opened();
		assertEquals(Intent.ACTION_VIEW, intent.getAction());
		assertEquals("shop://Cart", intent.getDataString());
		assertEquals(0, intent.getFlags() & Intent.FLAG_ACTIVITY_NEW_TASK);
		shown.pause().stop();
		app.result("service.deeplink", "{\"l\":\"shop://cart\"}").check();
		assertNotEquals(0, app.opened().getFlags() & Intent.FLAG_ACTIVITY_NEW_TASK);
	}

	@Test public void linkInside() throws Exception {
		App app = new App();
		App.shown();
		app.result("service.deeplink", "{\"l\":\"https://example.com/a\",\"li\":true}").check();
		assertEquals(app.application.getPackageName(), app.opened().getPackage());
	}

	@Test public void linkThatNobodyOpens() throws Exception {
		App app = new App();
		App.shown();
		shadowOf(app.application).checkActivities(true);
		assertEquals(Actions.StatusFailed, app.result("service.deeplink", "{\"l\":\"https://example.com\",\"li\":true}").status());
		assertNull(app.opened());
	}

	@Test public void dangerousLinks() throws Exception {
		App app = new App();
		App.shown();
		for (String link : new String[] {"javascript:alert(1)", "data:text/html,x", "CONTENT://com.example/secret", " file:///sdcard/x"}) {
			assertEquals(link, Actions.StatusInvalidArguments, app.result("service.deeplink", "{\"l\":\"" + link + "\"}").status());
		}
		assertNull(app.opened());
	}

	@Test public void settings() throws Exception {
		App app = new App();
		App.shown();
		app.result("service.redirect_settings", null).check();
		Intent intent = app.opened();
		assertEquals("android.settings.APP_NOTIFICATION_SETTINGS", intent.getAction());
		String extra = Build.VERSION.SDK_INT < 26 ? "app_package" : "android.provider.extra.APP_PACKAGE";
		assertEquals(app.application.getPackageName(), intent.getStringExtra(extra));
	}

	@Test public void noSettings() throws Exception {
		App app = new App();
		App.shown();
		shadowOf(app.application).checkActivities(true);
		assertEquals(Actions.StatusUnsupported, app.result("service.redirect_settings", null).status());
	}

	@Config(sdk = 21)
	@Test public void notificationsBeforePrompts() throws Exception {
		App app = new App();
		App.shown();
		App.permission(Actions.PermissionAuthorized, app.perform("service.request_notifications", null));
		assertNull(app.opened());
		app.result("service.smart_reoptin", null).check();
		assertTrue(app.opened().getAction().endsWith("NOTIFICATION_SETTINGS"));
	}
}
