package io.github.rehearsalsdk.proof;

import io.github.rehearsalsdk.actions.ClipboardHost;
import io.github.rehearsalsdk.actions.Completion;
import io.github.rehearsalsdk.actions.DismissHost;
import io.github.rehearsalsdk.actions.Event;
import io.github.rehearsalsdk.actions.LinkCompletion;
import io.github.rehearsalsdk.actions.LinkHost;
import io.github.rehearsalsdk.actions.LinkInterceptor;
import io.github.rehearsalsdk.actions.NotificationHost;
import io.github.rehearsalsdk.actions.PermissionCompletion;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.ReviewHost;
import io.github.rehearsalsdk.actions.SettingsHost;
import io.github.rehearsalsdk.actions.TrackingHost;
import io.github.rehearsalsdk.actions.UserDataHost;

/** A host that throws whatever it is asked. */
final class Thrower implements DismissHost, LinkHost, LinkInterceptor, NotificationHost, SettingsHost, ClipboardHost, ReviewHost,
		TrackingHost, UserDataHost {
	private final Exception exception;

	private Thrower(Exception exception) {
		this.exception = exception;
	}

	static void install(Registry registry, Exception exception) {
		Thrower thrower = new Thrower(exception);
		registry.setDismisser(thrower);
		registry.setLinkOpener(thrower);
		registry.setLinkInterceptor(thrower);
		registry.setNotifications(thrower);
		registry.setSettings(thrower);
		registry.setClipboard(thrower);
		registry.setReviewer(thrower);
		registry.setTracking(thrower);
		registry.setUserData(thrower);
	}

	@Override public void dismiss(Completion completion) throws Exception {
		throw exception;
	}

	@Override public void openLink(String url, boolean inApp, Completion completion) throws Exception {
		throw exception;
	}

	@Override public void interceptLink(String url, LinkCompletion completion) throws Exception {
		throw exception;
	}

	@Override public void notificationStatus(PermissionCompletion completion) throws Exception {
		throw exception;
	}

	@Override public void requestNotifications(PermissionCompletion completion) throws Exception {
		throw exception;
	}

	@Override public void openSettings(String page, Completion completion) throws Exception {
		throw exception;
	}

	@Override public void writeText(String text, Completion completion) throws Exception {
		throw exception;
	}

	@Override public void requestReview(Completion completion) throws Exception {
		throw exception;
	}

	@Override public void trackingStatus(PermissionCompletion completion) throws Exception {
		throw exception;
	}

	@Override public void requestTracking(PermissionCompletion completion) throws Exception {
		throw exception;
	}

	@Override public void addTag(String collection, String tag, Completion completion) throws Exception {
		throw exception;
	}

	@Override public void removeTag(String collection, String tag, Completion completion) throws Exception {
		throw exception;
	}

	@Override public void trackEvent(Event event, Completion completion) throws Exception {
		throw exception;
	}
}
