package io.github.rehearsalsdk.android;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.Context;
import android.content.Intent;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Knows the app and what is on the screen. */
final class Screen {
	private final Context application;
	private final MainThread main;
	/** The activities that can be seen, the one that came last at the end. */
	private final List<WeakReference<Activity>> shown = new ArrayList<>();

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

	/** Gives the activity that is on the screen and stays there, or null: an app in the background has none, though its activities are still there. */
	synchronized Activity activity() {
		for (int i = shown.size() - 1; i >= 0; i--) {
			Activity activity = shown.get(i).get();
			if (activity != null && !activity.isFinishing()) {
				return activity;
			}
		}
		return null;
	}

	synchronized void show(Activity activity) {
		hide(activity);
		shown.add(new WeakReference<>(activity));
	}

	synchronized void hide(Activity activity) {
		for (Iterator<WeakReference<Activity>> i = shown.iterator(); i.hasNext(); ) {
			Activity other = i.next().get();
			if (other == null || other == activity) {
				i.remove();
			}
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
