package io.github.rehearsalsdk.proof;

import static io.github.rehearsalsdk.proof.Checks.is;

import android.app.Activity;
import android.app.Application;
import android.os.Bundle;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.TextView;
import io.github.rehearsalsdk.fake.Device;
import io.github.rehearsalsdk.sample.MainActivity;
import io.github.rehearsalsdk.sample.SampleApplication;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/** Starts the sample app on a device that is made up, and presses its buttons. */
public final class SampleChecks {
	private static TextView results;
	private static ViewGroup layout;

	public static void main(String[] arguments) throws Exception {
		Checks checks = new Checks();
		checks.check("the app starts", SampleChecks::start);
		String[][] wanted = {
				{"Say hello", "say-hello: {\"status\":\"performed\",\"value\":\"Hello, Ada!\"}"},
				{"Say hello to nobody", "say-hello: {\"status\":\"failed\""},
				{"Copy", "service.clipboard: {\"status\":\"performed\"}"},
				{"Open a page", "service.deeplink: {\"status\":\"performed\"}"},
				{"Ask for notifications, or open their settings", "service.smart_reoptin: {\"status\":\"performed\",\"value\":\"authorized\"}"},
				{"Two at once", "service.group: {\"status\":\"performed\",\"items\":[{\"status\":\"performed\",\"value\":\"Hello, Bob!\"},{\"status\":\"performed\"}]}"},
				{"Rate the app, which this sample cannot", "service.rating: {\"status\":\"unsupported\""},
		};
		for (String[] pair : wanted) {
			checks.check("the button " + pair[0], () -> press(pair[0], pair[1]));
		}
		checks.done();
	}

	private static Object field(Class<?> type, Object of, String name) throws Exception {
		Field field = type.getDeclaredField(name);
		field.setAccessible(true);
		return field.get(of);
	}

	private static void start() throws Exception {
		Application application = new SampleApplication();
		MainActivity activity = new MainActivity();
		Field field = Activity.class.getDeclaredField("application");
		field.setAccessible(true);
		field.set(activity, application);
		Device.onMain(() -> {
			application.onCreate();
			Method create = MainActivity.class.getDeclaredMethod("onCreate", Bundle.class);
			create.setAccessible(true);
			create.invoke(activity, (Object) null);
			Device.callbacks.onActivityResumed(activity);
		});
		layout = (ViewGroup) field(Activity.class, activity, "content");
		results = (TextView) layout.getChildAt(layout.getChildCount() - 1);
	}

	private static void press(String title, String wanted) throws Exception {
		View button = null;
		for (int i = 0; i < layout.getChildCount() - 1; i++) {
			if (((Button) layout.getChildAt(i)).getText().toString().equals(title)) {
				button = layout.getChildAt(i);
			}
		}
		is(button != null, "there is no such button");
		View found = button;
		int prompts = Device.prompts;
		Device.onMain(found::performClick);
		for (long limit = System.nanoTime() + 60_000_000_000L; System.nanoTime() < limit; ) { // the worker and the main thread take turns
			Device.onMain(() -> { });
			if (Device.prompts > prompts) {
				prompts = Device.prompts;
				Device.answer(true, () -> { });
			}
			if (results.getText().toString().contains(wanted)) {
				return;
			}
			Thread.yield();
		}
		throw new AssertionError("the screen shows " + results.getText());
	}
}
