package io.github.rehearsalsdk.proof;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import android.app.Activity;
import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Task;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;

/** The prompt for notifications, on the API levels that have one. */
@RunWith(RobolectricTestRunner.class)
@Config(manifest = Config.NONE, sdk = {33, 34, 35})
public final class NotificationsTest {
	@Test public void granted() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		Task task = app.perform("service.request_notifications", null);
		assertEquals(1, app.prompts());
		shown.pause();
		assertNull(task.result());
		app.answer(shown, true);
		App.permission(Actions.PermissionAuthorized, task);
		App.permission(Actions.PermissionAuthorized, app.perform("service.request_notifications", null));
		assertEquals(0, app.prompts());
	}

	@Test public void denied() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		Task task = app.perform("service.smart_reoptin", null);
		assertEquals(1, app.prompts());
		shown.pause();
		app.answer(shown, false);
		App.permission(Actions.PermissionDenied, task);
		app.result("service.smart_reoptin", null).check();
		assertEquals("android.settings.APP_NOTIFICATION_SETTINGS", app.opened().getAction());
	}

	@Test public void twoAsk() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		Task first = app.perform("service.request_notifications", null), second = app.perform("service.smart_reoptin", null);
		assertEquals(1, app.prompts());
		shown.pause();
		app.answer(shown, true);
		App.permission(Actions.PermissionAuthorized, first);
		App.permission(Actions.PermissionAuthorized, second);
	}

	@Test public void noActivity() throws Exception {
		App app = new App();
		assertEquals(Actions.StatusBlocked, app.result("service.request_notifications", null).status());
		App.shown().pause().stop();
		assertEquals(Actions.StatusBlocked, app.result("service.request_notifications", null).status());
		assertEquals(0, app.prompts());
	}

	@Test public void systemPrompts() throws Exception {
		App app = new App(32);
		App.shown();
		assertEquals(Actions.StatusBlocked, app.result("service.request_notifications", null).status());
		assertEquals(0, app.prompts());
	}
}
