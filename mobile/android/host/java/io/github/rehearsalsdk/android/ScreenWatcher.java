package io.github.rehearsalsdk.android;

import android.app.Activity;
import android.app.Application;
import android.os.Bundle;

/** Follows the app's activities. */
final class ScreenWatcher implements Application.ActivityLifecycleCallbacks {
	private final Screen screen;
	private final AndroidNotifications notifications;

	ScreenWatcher(Screen screen, AndroidNotifications notifications) {
		this.screen = screen;
		this.notifications = notifications;
	}

	// From here on an activity can open links and ask for permissions.
	@Override public void onActivityCreated(Activity activity, Bundle state) {
		screen.show(activity);
		notifications.created();
	}

	@Override public void onActivityStarted(Activity activity) {
		screen.show(activity);
	}

	@Override public void onActivityResumed(Activity activity) {
		screen.show(activity);
		notifications.resumed();
	}

	@Override public void onActivityPaused(Activity activity) {
		notifications.paused();
	}

	@Override public void onActivityStopped(Activity activity) {
		screen.hide(activity);
	}

	@Override public void onActivityDestroyed(Activity activity) {
		screen.hide(activity);
	}

	@Override public void onActivitySaveInstanceState(Activity activity, Bundle state) { }
}
