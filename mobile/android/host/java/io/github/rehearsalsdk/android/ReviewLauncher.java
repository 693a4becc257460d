package io.github.rehearsalsdk.android;

import android.app.Activity;
import io.github.rehearsalsdk.actions.Completion;

/**
 * Asks the store to ask the user for a review. The library of Google Play that does this is not part of this one; mobile/README.md
 * shows the few lines that call it.
 */
public interface ReviewLauncher {
	/**
	 * Is called on the main thread. It ends the completion when the store has been asked, at once or later; the store never tells
	 * whether the user was.
	 */
	void launch(Activity activity, Completion completion) throws Exception;
}
