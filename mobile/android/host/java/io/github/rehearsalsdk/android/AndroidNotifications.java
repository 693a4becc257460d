package io.github.rehearsalsdk.android;

import android.app.Activity;
import android.app.NotificationManager;
import android.content.Context;
import android.content.pm.PackageManager;
import android.os.Build;
import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.NotificationHost;
import io.github.rehearsalsdk.actions.PermissionCompletion;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The permission for notifications.
 *
 * <ul>
 * <li>From Android 13 (33) on, for apps that target it, there is a prompt. The system does not tell whether the user was asked, so
 * the host remembers that it asked. A prompt of the app's own counts as well if the host looks between the first refusal and the
 * second: then the system tells.
 * <li>From Android 7 (24) on the user can switch notifications off in the settings: authorized or denied, and no prompt.
 * <li>Before, the system does not tell: authorized.
 * </ul>
 *
 * <p>The prompt needs {@code <uses-permission android:name="android.permission.POST_NOTIFICATIONS"/>} in the manifest, which the
 * library's own manifest brings along.
 */
final class AndroidNotifications implements NotificationHost {
	/** Android 13, and its permission; written out because the host is compiled against an older API level. */
	static final int PROMPTING = 33;
	static final String PERMISSION = "android.permission.POST_NOTIFICATIONS";
	static final int REQUEST_CODE = 0x5248;
	private static final String ASKED = "io.github.rehearsalsdk.asked_for_notifications";

	private final Screen screen;

	// Only the main thread touches these.
	private final List<PermissionCompletion> waiting = new ArrayList<>();
	/** The activity on the screen is paused: the prompt, or something else, covers it. */
	private boolean paused;
	/** That has been so since the prompt was asked for. */
	private boolean covered;

	AndroidNotifications(Screen screen) {
		this.screen = screen;
	}

	@Override public void notificationStatus(PermissionCompletion completion) throws Exception {
		completion.answer(status());
	}

	@Override public void requestNotifications(final PermissionCompletion completion) {
		screen.main().run(new Runnable() {
			@Override public void run() {
				try {
					request(completion);
				} catch (Exception | LinkageError failure) {
					completion.fail(MainThread.textOf(failure));
				}
			}
		});
	}

	private void request(PermissionCompletion completion) throws Exception {
		if (Build.VERSION.SDK_INT < PROMPTING || isGranted()) {
			completion.answer(status());
			return;
		}
		if (screen.application().getApplicationInfo().targetSdkVersion < PROMPTING) {
			completion.blocked("the app does not target Android 13: the system itself asks when the first notification channel is made");
			return;
		}
		Activity activity = screen.activity();
		if (activity == null) {
			completion.blocked("no activity of the app is on the screen");
			return;
		}
		waiting.add(completion);
		if (waiting.size() > 1) {
			return; // the prompt is there already
		}
		covered = paused;
		try {
			activity.requestPermissions(new String[] {PERMISSION}, REQUEST_CODE);
		} catch (RuntimeException failure) {
			waiting.clear();
			throw failure;
		}
	}

	/** A new activity comes. */
	void created() {
		paused = false;
	}

	/** The prompt, or something else, covers the app. */
	void paused() {
		paused = covered = true;
		if (!waiting.isEmpty()) {
			remember(); // not before: where another prompt is in the way, the system never shows this one
		}
	}

	/** The app is on the screen again: if the prompt was there, it is gone. */
	void resumed() {
		paused = false;
		if (covered) {
			answered();
		}
	}

	/** Tells those who wait for the prompt what has come of it. */
	void answered() {
		screen.main().run(new Runnable() {
			@Override public void run() {
				List<PermissionCompletion> told = new ArrayList<>(waiting);
				waiting.clear();
				for (PermissionCompletion completion : told) {
					try {
						completion.answer(status());
					} catch (Exception | LinkageError failure) {
						completion.fail(MainThread.textOf(failure));
					}
				}
			}
		});
	}

	private String status() throws Exception {
		if (Build.VERSION.SDK_INT < PROMPTING) {
			return isEnabled() ? Actions.PermissionAuthorized : Actions.PermissionDenied;
		}
		if (isGranted()) {
			return isEnabled() ? Actions.PermissionAuthorized : Actions.PermissionDenied;
		}
		Activity activity = screen.activity();
		if (activity != null && activity.shouldShowRequestPermissionRationale(PERMISSION)) {
			remember();
			return Actions.PermissionDenied;
		}
		return asked().exists() ? Actions.PermissionDenied : Actions.PermissionNotDetermined;
	}

	private boolean isGranted() {
		return screen.application().checkSelfPermission(PERMISSION) == PackageManager.PERMISSION_GRANTED;
	}

	private boolean isEnabled() throws Exception {
		Object manager = screen.application().getSystemService(Context.NOTIFICATION_SERVICE);
		if (Build.VERSION.SDK_INT < 24 || manager == null) {
			return true;
		}
		// A method of API level 24.
		return Boolean.TRUE.equals(NotificationManager.class.getMethod("areNotificationsEnabled").invoke(manager));
	}

	/** Gives the file that is there once the user was asked. No backup brings it to a device where nobody was. */
	private File asked() {
		return new File(screen.application().getNoBackupFilesDir(), ASKED);
	}

	private void remember() {
		try {
			asked().createNewFile();
		} catch (IOException full) {
			// The user is asked once more, and the system sees to it that it is not often.
		}
	}
}
