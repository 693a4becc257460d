package io.github.rehearsalsdk.proof;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.content.ClipboardManager;
import android.content.Context;
import android.content.Intent;
import android.os.Bundle;
import android.view.WindowManager;
import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Task;
import io.github.rehearsalsdk.android.AndroidHost;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;

/** What the system does to an app while an action goes on, on the API levels that have a prompt. */
@RunWith(RobolectricTestRunner.class)
@Config(manifest = Config.NONE, sdk = {33, 34, 35})
public final class LifecycleTest {
	private static boolean wasAsked(ActivityController<Activity> shown) {
		return shadowOf(shown.get()).getLastRequestedPermission() != null;
	}

	/** The system ends the process below the prompt, and makes app and activity anew when the user comes back to them. */
	private static ActivityController<Activity> restored(ActivityController<Activity> shown) {
		Bundle state = new Bundle();
		shown.saveInstanceState(state).stop().destroy();
		return Robolectric.buildActivity(Activity.class, new Intent()).create(state).start().restoreInstanceState(state).resume().pause();
	}

	@Test public void deathOfTheProcess() throws Exception {
		for (boolean yes : new boolean[] {true, false}) {
			App before = new App();
			ActivityController<Activity> shown = App.shown();
			before.perform("service.smart_reoptin", null);
			assertEquals(1, before.prompts());
			shown.pause();
			App.later();
			App app = new App(); // what the one before has is gone
			shown = restored(shown);
			Task early = app.perform("service.request_notifications", null);
			assertEquals("there is one prompt already", 0, app.prompts());
			app.answer(shown, yes);
			App.permission(yes ? Actions.PermissionAuthorized : Actions.PermissionDenied, early);
			app.result("service.smart_reoptin", null).check();
			assertEquals("nobody is asked again", "android.settings.APP_NOTIFICATION_SETTINGS", app.opened().getAction());
			app.refusedOnce(false);
			shown.pause().stop().destroy();
		}
	}

	@Test public void triggersOfTheProcessBefore() throws Exception {
		App app = new App();
		Registry registry = new Registry(app.host.options());
		int[] ran = new int[1];
		registry.register("pushed", invocation -> ran[0]++);
		Task task = registry.trigger("pushed", null, null); // the push has started the process
		assertNull(task.result());
		registry.start();
		App.result(task).check();
		assertEquals(1, ran[0]);
	}

	@Test public void lateHost() throws Exception {
		ActivityController<Activity> shown = App.shown();
		App app = new App(); // such as by an injection that is late
		assertEquals(Actions.StatusBlocked, app.result("service.request_notifications", null).status());
		assertEquals(0, app.prompts());
		app.host.setActivity(shown.get());
		app.perform("service.request_notifications", null);
		assertTrue(wasAsked(shown));
	}

	@Test public void lateHostOfAnActivity() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		AndroidHost late = new AndroidHost(shown.get());
		Registry registry = new Registry(late.options());
		late.install(registry);
		registry.perform("service.request_notifications", null);
		App.settle();
		assertEquals(1, app.prompts());
	}

	@Test public void lateHostAfterTheNextStart() throws Exception {
		ActivityController<Activity> shown = App.shown();
		App app = new App();
		shown.pause().stop().restart().start().resume();
		app.perform("service.request_notifications", null);
		assertTrue(wasAsked(shown));
	}

	/** Beside another app, an activity that has not the focus is paused and can be seen. */
	@Test public void multiWindow() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		shown.pause(); // the user is in the other app
		app.result("service.deeplink", "{\"l\":\"shop://cart\"}").check();
		assertEquals(0, app.opened().getFlags() & Intent.FLAG_ACTIVITY_NEW_TASK);
		Task task = app.perform("service.request_notifications", null);
		assertTrue(wasAsked(shown));
		app.answer(shown, true);
		App.permission(Actions.PermissionAuthorized, task);
	}

	@Test public void severalActivities() throws Exception {
		App app = new App();
		ActivityController<Activity> left = App.shown();
		left.pause();
		ActivityController<Activity> right = App.shown();
		right.pause();
		left.resume(); // the user goes back to the first one
		app.perform("service.request_notifications", null);
		assertTrue(wasAsked(left));
		assertTrue(!wasAsked(right));
	}

	@Test public void theActivityAboveFinishes() throws Exception {
		App app = new App();
		ActivityController<Activity> below = App.shown();
		below.pause();
		ActivityController<Activity> above = App.shown(); // with a hole in it
		above.get().finish();
		app.perform("service.request_notifications", null);
		assertTrue(wasAsked(below));
		assertTrue(!wasAsked(above));
	}

	@Test public void secureWindow() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		shown.get().getWindow().addFlags(WindowManager.LayoutParams.FLAG_SECURE);
		app.result("service.clipboard", "{\"t\":\"x\"}").check();
		assertNotNull(((ClipboardManager) app.application.getSystemService(Context.CLIPBOARD_SERVICE)).getPrimaryClip());
		Task task = app.perform("service.request_notifications", null);
		shown.pause();
		app.answer(shown, true);
		App.permission(Actions.PermissionAuthorized, task);
		assertNotEquals("the flag is the app's", 0, shown.get().getWindow().getAttributes().flags & WindowManager.LayoutParams.FLAG_SECURE);
	}

	@Test public void localeAndNightChangeWhileThePromptIsOpen() throws Exception {
		for (String qualifiers : new String[] {"de-rDE", "+night", "+land"}) {
			App app = new App();
			ActivityController<Activity> shown = App.shown();
			Task task = app.perform("service.smart_reoptin", null);
			shown.pause();
			App.later();
			RuntimeEnvironment.setQualifiers(qualifiers);
			shown = App.relaunch(shown);
			assertNull("the prompt is still open", task.result());
			app.answer(shown, true);
			App.permission(Actions.PermissionAuthorized, task);
			shown.pause().stop().destroy();
		}
	}

	@Test public void localeAndNightChange() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		for (String qualifiers : new String[] {"fr-rFR", "+night", "+land"}) {
			RuntimeEnvironment.setQualifiers(qualifiers);
			shown.configurationChange();
			App.settle();
			app.result("service.deeplink", "{\"l\":\"shop://cart\"}").check();
			assertEquals(0, app.opened().getFlags() & Intent.FLAG_ACTIVITY_NEW_TASK);
		}
		Task task = app.perform("service.request_notifications", null);
		assertEquals(1, app.prompts());
		shown.pause();
		app.answer(shown, true);
		App.permission(Actions.PermissionAuthorized, task);
	}

	@Test public void homeWhileThePromptIsOpen() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		Task task = app.perform("service.smart_reoptin", null);
		assertEquals(1, app.prompts());
		shown.pause().stop(); // the user leaves the app with the prompt open
		App.settle();
		assertNull(task.result());
		shown.restart().start();
		app.answer(shown, true);
		App.permission(Actions.PermissionAuthorized, task);
	}

	@Test public void backInTheForeground() throws Exception {
		App app = new App();
		ActivityController<Activity> shown = App.shown();
		shown.pause().stop();
		assertEquals(Actions.StatusBlocked, app.result("service.smart_reoptin", null).status());
		assertEquals(0, app.prompts());
		shown.restart().start().resume();
		Task task = app.perform("service.smart_reoptin", null);
		assertEquals("the user was not asked before", 1, app.prompts());
		shown.pause();
		app.answer(shown, true);
		App.permission(Actions.PermissionAuthorized, task);
	}

	/** An activity that asks while it is made is paused by the prompt only after it was resumed. */
	@Test public void askedWhileAnActivityIsMade() throws Exception {
		App app = new App();
		ActivityController<Activity> below = App.shown();
		below.pause();
		ActivityController<Activity> made = Robolectric.buildActivity(Activity.class).create();
		Task task = app.registry.perform("service.request_notifications", null);
		made.start().resume();
		assertNull("it did not wait for the user", task.result());
		made.pause();
		App.settle();
		assertEquals(1, app.prompts());
		app.answer(made, true);
		App.permission(Actions.PermissionAuthorized, task);
	}
}
