package io.github.rehearsalsdk.proof;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import android.app.Activity;
import android.content.pm.PackageManager;
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

	@Test public void relaunchWhileThePromptIsOpen() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		Task task = app.perform("service.smart_reoptin", null);
		shown.pause();
		App.later();
		shown = App.relaunch(shown);
		assertNull("the prompt is still open", task.result());
		app.answer(shown, true);
		App.permission(Actions.PermissionAuthorized, task);
	}

	@Test public void refusedForTheSecondTime() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		app.refusedOnce(true);
		Task task = app.perform("service.request_notifications", null);
		shown.pause();
		App.later();
		app.refusedOnce(false);
		App.gone(shown);
		App.permission(Actions.PermissionDenied, task);
	}

	@Test public void refusedByTheSystem() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		Task task = app.perform("service.smart_reoptin", null);
		assertEquals(1, app.prompts());
		shown.pause();
		App.gone(shown);
		App.result(task).check();
		assertEquals("android.settings.APP_NOTIFICATION_SETTINGS", app.opened().getAction());
		task = app.perform("service.request_notifications", null);
		assertEquals(1, app.prompts());
		shown.pause();
		App.gone(shown);
		App.permission(Actions.PermissionDenied, task);
		assertNull(app.opened());
	}

	@Test public void takenAway() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		Task task = app.perform("service.smart_reoptin", null);
		shown.pause();
		App.later();
		App.gone(shown);
		App.permission(Actions.PermissionNotDetermined, task);
		app.perform("service.smart_reoptin", null);
		assertEquals("it can be asked again", 2, app.prompts());
	}

	@Test public void answersThroughTheActivity() throws Exception {
		App app = new App();
		App.shown();
		Task task = app.perform("service.request_notifications", null);
		assertFalse(app.host.onRequestPermissionsResult(1, new String[0], new int[0]));
		assertTrue(app.host.onRequestPermissionsResult(0x5248, new String[0], new int[0]));
		assertEquals(Actions.StatusBlocked, App.result(task).status());
		task = app.perform("service.request_notifications", null);
		App.later();
		int[] denied = {PackageManager.PERMISSION_DENIED};
		assertTrue(app.host.onRequestPermissionsResult(0x5248, new String[] {App.PERMISSION}, denied));
		App.permission(Actions.PermissionDenied, task);
	}

	@Test public void anotherPromptOfTheApp() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		shown.get().requestPermissions(new String[] {"android.permission.CAMERA"}, 3);
		Task task = app.perform("service.smart_reoptin", null);
		shown.pause();
		App.later();
		App.tell(shown.get(), 3, new String[] {"android.permission.CAMERA"}, PackageManager.PERMISSION_GRANTED);
		shown.resume();
		App.permission(Actions.PermissionNotDetermined, task);
		app.prompts();
		app.perform("service.smart_reoptin", null);
		assertEquals("the user was never asked", 1, app.prompts());
	}

	@Test public void finishingActivity() throws Exception {
		App app = new App();
		ActivityController<Activity> splash = App.shown();
		splash.get().finish();
		assertEquals(Actions.StatusBlocked, app.result("service.smart_reoptin", null).status());
		App.shown();
		app.perform("service.smart_reoptin", null);
		assertEquals(1, app.prompts());
	}

	@Test public void canceledBeforeThePrompt() throws Exception {
		App app = new App();
		App.shown();
		Task[] task = new Task[1];
		Thread thread = new Thread(() -> {
			task[0] = app.registry.perform("service.request_notifications", null);
			task[0].cancel();
		});
		thread.start();
		thread.join();
		App.settle();
		assertEquals(Actions.StatusCanceled, App.result(task[0]).status());
		assertEquals(0, app.prompts());
	}
}
