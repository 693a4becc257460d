package io.github.rehearsalsdk.playground;

import android.content.Context;
import android.content.SharedPreferences;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageManager;
import android.os.Build;
import android.util.Log;
import io.github.rehearsalsdk.actions.Registry;
import java.util.UUID;

/** Joins an Android app to a playground. */
public final class AndroidPlayground {
	private static final String KEPT = "io.github.rehearsalsdk.playground", INSTANCE = "instance";

	private AndroidPlayground() {}

	/** Is {@link Playground#join(Registry, String, String)} for an Android app. */
	public static Playground join(Context context, Registry registry, String url, String code) {
		return Playground.join(registry, url, code, options(context));
	}

	/** Gives the options of an app: name and version are its own, its identity is kept with its data, and the log is Android's. */
	public static PlaygroundOptions options(final Context context) {
		final PlaygroundOptions options = new PlaygroundOptions();
		options.android = true;
		options.name(context.getPackageManager().getApplicationLabel(context.getApplicationInfo()) + " on " + Build.MODEL);
		options.log = new PlaygroundOptions.Log() {
			@Override public void line(String line) {
				Log.i("Playground", line);
			}
		};
		options.identify = new Runnable() {
			@Override public void run() {
				SharedPreferences kept = context.getSharedPreferences(KEPT, Context.MODE_PRIVATE);
				options.instance = kept.getString(INSTANCE, "");
				if (options.instance.isEmpty()) {
					options.instance = UUID.randomUUID().toString();
					kept.edit().putString(INSTANCE, options.instance).apply();
				}
			}
		};
		options.reason = "this build cannot be debugged";
		options.allowed = (context.getApplicationInfo().flags & ApplicationInfo.FLAG_DEBUGGABLE) != 0;
		if (options.allowed) { // nothing is written in other builds
			options.identify.run();
		}
		try {
			options.version(String.valueOf(context.getPackageManager().getPackageInfo(context.getPackageName(), 0).versionName));
		} catch (PackageManager.NameNotFoundException e) {
			options.version("");
		}
		return options;
	}
}
