package io.github.rehearsalsdk.android;

import android.app.Activity;
import io.github.rehearsalsdk.actions.Completion;
import io.github.rehearsalsdk.actions.ReviewHost;

/** Asks for reviews by what the app gave. */
final class AndroidReviewer implements ReviewHost {
	private final Screen screen;
	private final ReviewLauncher launcher;

	AndroidReviewer(Screen screen, ReviewLauncher launcher) {
		this.screen = screen;
		this.launcher = launcher;
	}

	@Override public void requestReview(final Completion completion) {
		screen.main().work(completion, new MainThread.Work() {
			@Override public void run() throws Exception {
				Activity activity = screen.activity();
				if (activity == null) {
					completion.blocked("no activity of the app is on the screen");
				} else {
					launcher.launch(activity, completion);
				}
			}
		});
	}
}
