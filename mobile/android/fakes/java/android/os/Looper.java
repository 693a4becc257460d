package android.os;

import io.github.rehearsalsdk.fake.Device;

public final class Looper {
	private static final Looper main = new Looper();

	private Looper() { }

	public static Looper getMainLooper() {
		return main;
	}

	public static Looper myLooper() {
		return Device.isMain() ? main : null;
	}
}
