package android.app;

import android.content.Context;
import android.os.Bundle;
import io.github.rehearsalsdk.fake.Device;

public class Application extends Context {
	public interface ActivityLifecycleCallbacks {
		void onActivityCreated(Activity activity, Bundle state);

		void onActivityStarted(Activity activity);

		void onActivityResumed(Activity activity);

		void onActivityPaused(Activity activity);

		void onActivityStopped(Activity activity);

		void onActivitySaveInstanceState(Activity activity, Bundle state);

		void onActivityDestroyed(Activity activity);
	}

	public void onCreate() { }

	public void registerActivityLifecycleCallbacks(ActivityLifecycleCallbacks callbacks) {
		Device.callbacks = callbacks;
	}
}
