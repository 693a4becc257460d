package io.github.rehearsalsdk.android;

import android.app.Activity;
import android.app.Application;
import android.content.Context;
import android.os.Build;
import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Executor;
import io.github.rehearsalsdk.actions.Options;
import io.github.rehearsalsdk.actions.Registry;

/**
 * Gives a registry what an Android device can do: clipboard, deeplinks, the permission for notifications, settings, and, where the
 * app says how, reviews, dismissing, tags and events. Make one in {@link Application#onCreate}:
 *
 * <pre>{@code
 * AndroidHost host = new AndroidHost(this);
 * Registry registry = new Registry(host.options());
 * host.install(registry);
 * // register actions here
 * registry.start();
 * }</pre>
 *
 * <p>Everything here may be called from any thread. Whatever Android wants on the main thread is done there; nobody waits for it.
 * The host follows the app's activities by itself and holds them weakly. It works from API level 21 on; what a level lacks is
 * answered as unsupported.
 */
public final class AndroidHost {
	private final Screen screen;
	private final AndroidNotifications notifications;
	private ReviewLauncher reviewLauncher;
	private UserDataSink userDataSink;
	private Runnable dismiss;

	/** Makes the host of the app that the context belongs to. The context itself is not kept, its application context is. */
	public AndroidHost(Context context) {
		Context application = context.getApplicationContext() == null ? context : context.getApplicationContext();
		screen = new Screen(application, new MainThread());
		notifications = new AndroidNotifications(screen);
		if (application instanceof Application) {
			((Application) application).registerActivityLifecycleCallbacks(new ScreenWatcher(screen, notifications));
		}
		if (context instanceof Activity) {
			screen.show((Activity) context);
		}
	}

	/** Makes options that name this platform and its version, to make a registry with. */
	public Options options() {
		Options options = new Options();
		options.setPlatform(Actions.PlatformAndroid, Build.VERSION.RELEASE);
		return options;
	}

	/** Gives what runs actions on the main thread, for {@link Registry#registerOn}: at once when they are performed there, otherwise soon. */
	public static Executor mainExecutor() {
		return new MainExecutor();
	}

	/** Says how to ask for a review (service.rating); without one that is unsupported. Call it before {@link #install}. */
	public AndroidHost reviewsBy(ReviewLauncher launcher) {
		reviewLauncher = launcher;
		return this;
	}

	/** Says who keeps tags and events (service.user.tag, service.user.event). Call it before {@link #install}. */
	public AndroidHost userDataTo(UserDataSink sink) {
		userDataSink = sink;
		return this;
	}

	/** Says how to dismiss the message that an action came from (service.dismiss); it runs on the main thread. Call it before {@link #install}. */
	public AndroidHost dismissBy(Runnable how) {
		dismiss = how;
		return this;
	}

	/** Sets every capability that this host has. There is no consent to tracking on Android. */
	public void install(Registry registry) {
		registry.setClipboard(new AndroidClipboard(screen));
		registry.setLinkOpener(new AndroidLinks(screen));
		registry.setNotifications(notifications);
		registry.setSettings(new AndroidSettings(screen));
		if (reviewLauncher != null) {
			registry.setReviewer(new AndroidReviewer(screen, reviewLauncher));
		}
		if (userDataSink != null) {
			registry.setUserData(new AndroidUserData(userDataSink));
		}
		if (dismiss != null) {
			registry.setDismisser(new AndroidDismisser(screen, dismiss));
		}
	}

	/**
	 * Tells which activity is on the screen. It is only needed when the host was made while one was already there: later ones it
	 * sees by itself.
	 */
	public void setActivity(Activity activity) {
		screen.show(activity);
	}

	/**
	 * Is best called from {@link Activity#onRequestPermissionsResult} of every activity, with what that was given. Without it the host
	 * sees the prompt go, but not when the system has thrown the request away, nor a refusal that leaves no trace.
	 *
	 * @return whether the request was the host's
	 */
	public boolean onRequestPermissionsResult(int requestCode, String[] permissions, int[] grantResults) {
		if (requestCode != AndroidNotifications.REQUEST_CODE) {
			return false;
		}
		notifications.answered(grantResults);
		return true;
	}
}
