package android.os;

import io.github.rehearsalsdk.fake.Device;

public class Build {
	public static class VERSION {
		public static final int SDK_INT = Device.SDK;
		public static final String RELEASE = "14";
	}
}
