package android.content.pm;

public class ApplicationInfo {
	public int targetSdkVersion;
	public int uid;
}
