package android.content;

public class ActivityNotFoundException extends RuntimeException {
	public ActivityNotFoundException(String message) {
		super(message);
	}
}
