package android.content;

import android.content.pm.ApplicationInfo;
import io.github.rehearsalsdk.fake.Device;

public abstract class Context {
	public Context getApplicationContext() {
		return this;
	}

	public String getPackageName() {
		return "com.example.app";
	}

	public Object getSystemService(String name) {
		switch (name) {
			case "clipboard":
				if (!Device.isMain()) {
					throw new IllegalStateException("Can't create handler inside thread that has not called Looper.prepare()");
				}
				return new ClipboardManager();
			case "notification":
				return new android.app.NotificationManager();
			default:
				throw new AssertionError(name);
		}
	}

	public int checkSelfPermission(String permission) {
		if (!permission.equals("android.permission.POST_NOTIFICATIONS")) {
			throw new AssertionError(permission);
		}
		return Device.granted ? 0 : -1;
	}

	public ApplicationInfo getApplicationInfo() {
		ApplicationInfo info = new ApplicationInfo();
		info.targetSdkVersion = Device.TARGET;
		info.uid = 10123;
		return info;
	}

	public void startActivity(Intent intent) {
		Device.start("app", intent);
	}

	public java.io.File getNoBackupFilesDir() {
		return Device.files;
	}
}
