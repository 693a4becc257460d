package android.content;

import io.github.rehearsalsdk.fake.Device;

public class ClipboardManager {
	public void setPrimaryClip(ClipData clip) {
		Device.clip = clip.toString();
		Device.clipThread = Thread.currentThread();
	}

	public void clearPrimaryClip() {
		Device.clip = null;
		Device.clipThread = Thread.currentThread();
	}
}
