package android.view;

import android.content.Context;
import java.util.ArrayList;

public abstract class ViewGroup extends View {
	private final ArrayList<View> children = new ArrayList<>();

	public ViewGroup(Context context) {
		super(context);
	}

	public void addView(View child) {
		children.add(child);
	}

	public View getChildAt(int index) {
		return children.get(index);
	}

	public int getChildCount() {
		return children.size();
	}
}
