package io.github.rehearsalsdk.android;

import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.os.Build;
import android.provider.Settings;
import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Completion;
import io.github.rehearsalsdk.actions.SettingsHost;

/** Opens the system's settings at a page of this app. */
final class AndroidSettings implements SettingsHost {
	// Constants of API level 26, written out because the host is compiled against an older one.
	static final String NOTIFICATION_SETTINGS = "android.settings.APP_NOTIFICATION_SETTINGS";
	static final String EXTRA_APP_PACKAGE = "android.provider.extra.APP_PACKAGE";

	private final Screen screen;

	AndroidSettings(Screen screen) {
		this.screen = screen;
	}

	@Override public void openSettings(final String page, final Completion completion) {
		screen.main().work(completion, new MainThread.Work() {
			@Override public void run() {
				if (page.equals(Actions.PageNotifications) && screen.start(notifications()) || screen.start(app())) {
					completion.succeed();
				} else {
					completion.unsupported("this device has no such settings");
				}
			}
		});
	}

	private Intent notifications() {
		Context application = screen.application();
		Intent intent = new Intent(NOTIFICATION_SETTINGS);
		if (Build.VERSION.SDK_INT >= 26) {
			return intent.putExtra(EXTRA_APP_PACKAGE, application.getPackageName());
		}
		// The same page, before it was made public.
		return intent.putExtra("app_package", application.getPackageName()).putExtra("app_uid", application.getApplicationInfo().uid);
	}

	private Intent app() {
		return new Intent(Settings.ACTION_APPLICATION_DETAILS_SETTINGS, Uri.fromParts("package", screen.application().getPackageName(), null));
	}
}
