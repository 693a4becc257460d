package android.os;

import java.util.TreeMap;

public final class Bundle {
	private final TreeMap<String, Object> values = new TreeMap<>();

	public void putBinder(String key, IBinder value) {
		values.put(key, value);
	}

	@Override public String toString() {
		return values.toString();
	}
}
