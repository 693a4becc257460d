package android.widget;

import android.content.Context;
import android.view.View;
import io.github.rehearsalsdk.fake.Device;

public class TextView extends View {
	private CharSequence text = "";

	public TextView(Context context) {
		super(context);
	}

	public final void setText(CharSequence text) {
		if (!Device.isMain()) {
			throw new IllegalStateException("Only the original thread that created a view hierarchy can touch its views.");
		}
		this.text = text;
	}

	public CharSequence getText() {
		return text;
	}
}
