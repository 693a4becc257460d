package io.github.rehearsalsdk.proof;

import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;
import static org.robolectric.Shadows.shadowOf;

import android.app.Application;
import android.content.Intent;
import android.os.Looper;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.TextView;
import io.github.rehearsalsdk.sample.MainActivity;
import io.github.rehearsalsdk.sample.SampleApplication;
import java.time.Duration;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.Robolectric;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.android.controller.ActivityController;
import org.robolectric.annotation.Config;
import org.robolectric.shadows.ShadowSystemClock;

/** Starts the sample app and presses its buttons. */
@RunWith(RobolectricTestRunner.class)
@Config(manifest = Config.NONE, sdk = 34, application = SampleApplication.class)
public final class SampleTest {
	private static final String PERMISSION = "android.permission.POST_NOTIFICATIONS";
	private static final String[][] WANTED = {
			{"Say hello", "say-hello: {\"status\":\"performed\",\"value\":\"Hello, Ada!\"}"},
			{"Say hello to nobody", "say-hello: {\"status\":\"failed\""},
			{"Copy", "service.clipboard: {\"status\":\"performed\"}"},
			{"Open a page", "service.deeplink: {\"status\":\"performed\"}"},
			{"Ask for notifications, or open their settings", "service.smart_reoptin: {\"status\":\"performed\",\"value\":\"authorized\"}"},
			{"Two at once", "service.group: {\"status\":\"performed\",\"items\":[{\"status\":\"performed\",\"value\":\"Hello, Bob!\"},{\"status\":\"performed\"}]}"},
			{"Rate the app, which this sample cannot", "service.rating: {\"status\":\"unsupported\""},
	};

	private final Application application = RuntimeEnvironment.getApplication();
	private ActivityController<MainActivity> shown;

	@Test public void buttons() {
		application.getApplicationInfo().targetSdkVersion = 34;
		shadowOf(application).denyPermissions(PERMISSION);
		shown = Robolectric.buildActivity(MainActivity.class).setup();
		ViewGroup content = shown.get().findViewById(android.R.id.content);
		ViewGroup layout = (ViewGroup) content.getChildAt(0);
		TextView results = (TextView) layout.getChildAt(layout.getChildCount() - 1);
		for (String[] pair : WANTED) {
			press(layout, pair[0], results, pair[1]);
		}
	}

	private void press(ViewGroup layout, String title, TextView results, String wanted) {
		View found = null;
		for (int i = 0; i < layout.getChildCount() - 1; i++) {
			if (((Button) layout.getChildAt(i)).getText().toString().equals(title)) {
				found = layout.getChildAt(i);
			}
		}
		assertNotNull("there is no button " + title, found);
		found.performClick();
		for (long limit = System.nanoTime() + 60_000_000_000L; System.nanoTime() < limit; ) { // the worker and the main thread take turns
			shadowOf(Looper.getMainLooper()).idle();
			Intent opened = shadowOf(application).getNextStartedActivity();
			if (opened != null && "android.content.pm.action.REQUEST_PERMISSIONS".equals(opened.getAction())) {
				shown.pause();
				shadowOf(application).grantPermissions(PERMISSION);
				ShadowSystemClock.advanceBy(Duration.ofSeconds(2));
				shown.resume();
			}
			if (results.getText().toString().contains(wanted)) {
				return;
			}
			Thread.yield();
		}
		assertTrue("the screen shows " + results.getText(), false);
	}
}
