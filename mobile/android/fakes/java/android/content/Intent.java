package android.content;

import android.net.Uri;
import android.os.Bundle;
import java.util.TreeMap;

public class Intent {
	private final TreeMap<String, Object> extras = new TreeMap<>();
	private final String action;
	private final Uri data;
	private String packageName;
	private int flags;

	public Intent(String action) {
		this(action, null);
	}

	public Intent(String action, Uri data) {
		this.action = action;
		this.data = data;
	}

	public Intent setPackage(String packageName) {
		this.packageName = packageName;
		return this;
	}

	public Intent addFlags(int flags) {
		this.flags |= flags;
		return this;
	}

	public Intent putExtra(String key, String value) {
		extras.put(key, value);
		return this;
	}

	public Intent putExtra(String key, int value) {
		extras.put(key, value);
		return this;
	}

	public Intent putExtras(Bundle bundle) {
		extras.put("bundle", bundle);
		return this;
	}

	@Override public String toString() {
		return action + (data == null ? "" : " " + data) + (packageName == null ? "" : " in " + packageName) + (flags == 0 ? "" : " flags " + flags)
				+ (extras.isEmpty() ? "" : " " + extras);
	}
}
