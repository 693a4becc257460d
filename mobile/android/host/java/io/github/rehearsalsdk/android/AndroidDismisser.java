package io.github.rehearsalsdk.android;

import io.github.rehearsalsdk.actions.Completion;
import io.github.rehearsalsdk.actions.DismissHost;

/** Dismisses messages by what the app gave. */
final class AndroidDismisser implements DismissHost {
	private final Screen screen;
	private final Runnable how;

	AndroidDismisser(Screen screen, Runnable how) {
		this.screen = screen;
		this.how = how;
	}

	@Override public void dismiss(final Completion completion) {
		screen.main().work(completion, new MainThread.Work() {
			@Override public void run() {
				how.run();
				completion.succeed();
			}
		});
	}
}
