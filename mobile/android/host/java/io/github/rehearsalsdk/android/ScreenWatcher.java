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

	@Override public void onActivityResumed(Activity activity) {
		screen.set(activity);
		notifications.resumed();
	}

	@Override public void onActivityPaused(Activity activity) {
		notifications.paused();
	}

	@Override public void onActivityDestroyed(Activity activity) {
		screen.remove(activity);
	}

	@Override public void onActivityCreated(Activity activity, Bundle state) { }

	@Override public void onActivityStarted(Activity activity) { }

	@Override public void onActivityStopped(Activity activity) { }

	@Override public void onActivitySaveInstanceState(Activity activity, Bundle state) { }
}
