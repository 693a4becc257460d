package android.net;

public class Uri {
	private final String text;

	private Uri(String text) {
		this.text = text;
	}

	public static Uri parse(String text) {
		if (text == null) {
			throw new NullPointerException("uriString");
		}
		return new Uri(text);
	}

	public static Uri fromParts(String scheme, String part, String fragment) {
		return new Uri(scheme + ":" + part + (fragment == null ? "" : "#" + fragment));
	}

	public String getScheme() {
		return text.indexOf(':') < 0 ? null : text.substring(0, text.indexOf(':'));
	}

	public Uri normalizeScheme() {
		return getScheme() == null ? this : new Uri(getScheme().toLowerCase(java.util.Locale.ROOT) + text.substring(text.indexOf(':')));
	}

	@Override public String toString() {
		return text;
	}
}
