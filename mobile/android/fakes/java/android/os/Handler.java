package android.os;

import io.github.rehearsalsdk.fake.Device;

public class Handler {
	public Handler(Looper looper) {
		if (looper != Looper.getMainLooper()) {
			throw new AssertionError("another looper");
		}
	}

	public final boolean post(Runnable work) {
		Device.post(work);
		return true;
	}
}
