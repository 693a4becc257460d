package io.github.rehearsalsdk.android;

import android.app.Activity;
import android.app.NotificationManager;
import android.content.Context;
import android.content.pm.PackageManager;
import android.os.Build;
import android.os.SystemClock;
import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.NotificationHost;
import io.github.rehearsalsdk.actions.PermissionCompletion;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The permission for notifications.
 *
 * <ul>
 * <li>From Android 13 (33) on, for apps that target it, there is a prompt. The system does not tell whether the user was asked, so
 * the host asks, and sees what comes back and how fast: a refusal that no user can have read was the system's own. Nothing is
 * remembered, so nothing can be remembered wrongly.
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
	/** Within so many milliseconds no user has read a prompt and refused. */
	static final long UNREAD = 650;

	private final Screen screen;

	// Only the main thread touches these.
	private final List<PermissionCompletion> waiting = new ArrayList<>();
	/** The activity on the screen is paused: the prompt, or something else, covers it. */
	private boolean paused;
	/** That has been so since the prompt was asked for. */
	private boolean covered;
	/** It was so already when the prompt was asked for: what is gone then need not be the prompt. */
	private boolean obstructed;
	/** What the system told before the prompt: the user has refused once. */
	private boolean refusedOnce;
	private long askedAt;

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
		if (completion.isEnded()) {
			return; // canceled meanwhile: the prompt would come out of the blue
		}
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
		for (Iterator<PermissionCompletion> i = waiting.iterator(); i.hasNext(); ) {
			if (i.next().isEnded()) {
				i.remove();
			}
		}
		waiting.add(completion);
		if (waiting.size() > 1) {
			return; // the prompt is there already
		}
		covered = obstructed = paused;
		refusedOnce = activity.shouldShowRequestPermissionRationale(PERMISSION);
		askedAt = SystemClock.elapsedRealtime();
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
	}

	/** The app is on the screen again: if the prompt was there, it is gone. */
	void resumed() {
		paused = false;
		if (!covered || waiting.isEmpty()) {
			return;
		}
		final boolean unread = isUnread();
		// Not now: an activity that is made anew below the prompt, as when the device is turned, is resumed and at once paused again.
		screen.main().post(new Runnable() {
			@Override public void run() {
				if (!paused) {
					gone(unread && !obstructed, Actions.PermissionNotDetermined);
				}
			}
		});
	}

	/** The system gives the answer. It gives none when it has thrown the request away, as it does while it shows another prompt. */
	void answered(final int[] results) {
		final boolean unread = isUnread();
		screen.main().run(new Runnable() {
			@Override public void run() {
				if (results.length > 0) {
					gone(unread, Actions.PermissionDenied);
					return;
				}
				for (PermissionCompletion completion : told()) {
					completion.blocked("the system did not ask the user: another prompt was in the way, or this one was taken away");
				}
			}
		});
	}

	private boolean isUnread() {
		return SystemClock.elapsedRealtime() - askedAt < UNREAD;
	}

	/** Gives those who wait for the prompt, and forgets them. */
	private List<PermissionCompletion> told() {
		List<PermissionCompletion> told = new ArrayList<>(waiting);
		waiting.clear();
		return told;
	}

	/**
	 * Tells those who wait for the prompt what has come of it.
	 *
	 * @param unread whether nobody can have read it
	 * @param otherwise what it is when nothing shows that the user agreed or refused
	 */
	private void gone(boolean unread, String otherwise) {
		for (PermissionCompletion completion : told()) {
			try {
				String status = status();
				if (!status.equals(Actions.PermissionNotDetermined)) {
					completion.answer(status);
				} else if (refusedOnce) {
					completion.answer(Actions.PermissionDenied); // for the second time: from now on the system shows nothing
				} else if (unread) {
					completion.notShown(Actions.PermissionDenied);
				} else {
					completion.answer(otherwise);
				}
			} catch (Exception | LinkageError failure) {
				completion.fail(MainThread.textOf(failure));
			}
		}
	}

	private String status() throws Exception {
		if (Build.VERSION.SDK_INT < PROMPTING) {
			return isEnabled() ? Actions.PermissionAuthorized : Actions.PermissionDenied;
		}
		if (isGranted()) {
			return isEnabled() ? Actions.PermissionAuthorized : Actions.PermissionDenied;
		}
		Activity activity = screen.activity();
		boolean refused = activity != null && activity.shouldShowRequestPermissionRationale(PERMISSION);
		return refused ? Actions.PermissionDenied : Actions.PermissionNotDetermined;
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
}
