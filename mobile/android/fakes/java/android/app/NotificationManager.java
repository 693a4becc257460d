package android.app;

import io.github.rehearsalsdk.fake.Device;

public class NotificationManager {
	public boolean areNotificationsEnabled() {
		return Device.enabled;
	}
}
