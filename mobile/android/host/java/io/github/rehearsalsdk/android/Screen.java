package io.github.rehearsalsdk.android;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.Context;
import android.content.Intent;
import java.lang.ref.WeakReference;

/** Knows the app and what is on the screen. */
final class Screen {
	private final Context application;
	private final MainThread main;
	private volatile WeakReference<Activity> activity = new WeakReference<>(null);

	Screen(Context application, MainThread main) {
		this.application = application;
		this.main = main;
	}

	Context application() {
		return application;
	}

	MainThread main() {
		return main;
	}

	/** Gives the activity that is on the screen, or null. */
	Activity activity() {
		return activity.get();
	}

	void set(Activity shown) {
		activity = new WeakReference<>(shown);
	}

	void remove(Activity hidden) {
		if (activity.get() == hidden) {
			activity = new WeakReference<>(null);
		}
	}

	/** Starts an activity from the one on the screen, or in a task of its own when there is none. Gives false when nobody takes it. */
	boolean start(Intent intent) {
		Activity from = activity();
		try {
			if (from != null) {
				from.startActivity(intent);
			} else {
				application.startActivity(intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK));
			}
			return true;
		} catch (ActivityNotFoundException nobody) {
			return false;
		}
	}
}
