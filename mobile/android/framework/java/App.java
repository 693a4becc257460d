package io.github.rehearsalsdk.proof;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.robolectric.Shadows.shadowOf;

import android.app.Activity;
import android.app.Application;
import android.content.Intent;
import android.content.pm.PackageManager;
import android.os.Build;
import android.os.Bundle;
import android.os.Looper;
import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.Result;
import io.github.rehearsalsdk.actions.Task;
import io.github.rehearsalsdk.android.AndroidHost;
import java.lang.reflect.Method;
import java.time.Duration;
import org.robolectric.Robolectric;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.shadows.ShadowSystemClock;

/** An app with the host, and what the system and the user do to it. The tests run on the main thread. */
final class App {
	static final String PERMISSION = "android.permission.POST_NOTIFICATIONS";
	private static final long LIMIT = 20_000_000_000L;

	final Application application = RuntimeEnvironment.getApplication();
	final AndroidHost host;
	final Registry registry;

	App() throws Exception {
		this(Build.VERSION.SDK_INT);
	}

	App(int targets) throws Exception {
		application.getApplicationInfo().targetSdkVersion = targets;
		shadowOf(application).denyPermissions(PERMISSION);
		host = new AndroidHost(application);
		registry = new Registry(host.options());
		host.install(registry);
		registry.start();
	}

	/** An activity on the screen. */
	static ActivityController<Activity> shown() {
		return Robolectric.buildActivity(Activity.class).setup();
	}

	/** Lets the main thread do what it was given. */
	static void settle() {
		shadowOf(Looper.getMainLooper()).idle();
	}

	Task perform(String identifier, String json) throws Exception {
		Task task = registry.perform(identifier, json == null ? null : Actions.argumentsFromJSON(json));
		settle();
		return task;
	}

	Result result(String identifier, String json) throws Exception {
		return result(perform(identifier, json));
	}

	/** Waits for a result, while the main thread goes on. */
	static Result result(Task task) {
		for (long end = System.nanoTime() + LIMIT; task.result() == null && System.nanoTime() < end; ) {
			settle();
			task.await(5);
		}
		assertNotNull("there is no result", task.result());
		return task.result();
	}

	/** Checks what became of a permission. */
	static void permission(String wanted, Task task) throws Exception {
		Result result = result(task);
		result.check();
		assertEquals(wanted, result.value().asString("nothing"));
	}

	/** Gives the intent that opened something else, or null; the prompt is none. */
	Intent opened() {
		for (Intent intent; (intent = shadowOf(application).getNextStartedActivity()) != null; ) {
			if (!isPrompt(intent)) {
				return intent;
			}
		}
		return null;
	}

	/** Counts the prompts that were asked for since the last look. What else was opened is forgotten. */
	int prompts() {
		int prompts = 0;
		for (Intent intent; (intent = shadowOf(application).getNextStartedActivity()) != null; ) {
			prompts += isPrompt(intent) ? 1 : 0;
		}
		return prompts;
	}

	private static boolean isPrompt(Intent intent) {
		return "android.content.pm.action.REQUEST_PERMISSIONS".equals(intent.getAction());
	}

	/** The user answers the prompt that covers an activity: the system gives it the answer and resumes it. */
	void answer(ActivityController<? extends Activity> asked, boolean yes) throws Exception {
		if (yes) {
			shadowOf(application).grantPermissions(PERMISSION);
		} else {
			refusedOnce(true);
		}
		later();
		tell(asked.get(), 0x5248, new String[] {PERMISSION}, yes ? PackageManager.PERMISSION_GRANTED : PackageManager.PERMISSION_DENIED);
		asked.resume();
		settle();
	}

	/** The prompt of the host goes, and nothing shows that the user agreed or refused. */
	static void gone(ActivityController<? extends Activity> asked) throws Exception {
		tell(asked.get(), 0x5248, new String[] {PERMISSION}, PackageManager.PERMISSION_DENIED);
		asked.resume();
		settle();
	}

	/**
	 * Makes a paused activity anew, as the framework does when the device is turned: resumed and paused again in one message. (Robolectric's
	 * own recreate() lets the main thread do other things between the two.)
	 */
	static ActivityController<Activity> relaunch(ActivityController<Activity> paused) {
		Bundle state = new Bundle();
		paused.saveInstanceState(state).stop().destroy();
		ActivityController<Activity> relaunched = Robolectric.buildActivity(Activity.class).create(state).start().resume().pause();
		settle();
		return relaunched;
	}

	/** The system tells that the user has refused once, which it does neither before nor after the second time. */
	void refusedOnce(boolean yes) {
		shadowOf(application.getPackageManager()).setShouldShowRequestPermissionRationale(PERMISSION, yes);
	}

	/** So much time passes that a user can have read a prompt. */
	static void later() {
		ShadowSystemClock.advanceBy(Duration.ofSeconds(2));
	}

	/** Gives an activity the answer of a prompt as the system does. */
	static void tell(Activity activity, int code, String[] permissions, int... results) throws Exception {
		Intent data = new Intent()
				.putExtra("android.content.pm.extra.REQUEST_PERMISSIONS_NAMES", permissions)
				.putExtra("android.content.pm.extra.REQUEST_PERMISSIONS_RESULTS", results);
		for (Method method : Activity.class.getDeclaredMethods()) {
			if (method.getName().equals("dispatchRequestPermissionsResult") && method.getParameterCount() == 2) {
				method.setAccessible(true);
				method.invoke(activity, code, data);
				return;
			}
		}
		throw new AssertionError("activities are told otherwise");
	}
}
