package android.content;

public class ClipData {
	private final CharSequence text;

	private ClipData(CharSequence text) {
		this.text = text;
	}

	public static ClipData newPlainText(CharSequence label, CharSequence text) {
		return new ClipData(text);
	}

	@Override public String toString() {
		return text.toString();
	}
}
