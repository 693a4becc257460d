package android.view;

import android.content.Context;

public class View {
	private OnClickListener listener;

	public View(Context context) { }

	public interface OnClickListener {
		void onClick(View view);
	}

	public void setOnClickListener(OnClickListener listener) {
		this.listener = listener;
	}

	public void setFitsSystemWindows(boolean fits) { }

	public boolean performClick() {
		listener.onClick(this);
		return true;
	}
}
