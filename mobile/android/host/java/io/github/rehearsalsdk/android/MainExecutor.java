package io.github.rehearsalsdk.android;

import io.github.rehearsalsdk.actions.Executor;
import io.github.rehearsalsdk.actions.Work;

/** Runs actions on the main thread. */
final class MainExecutor implements Executor {
	private final MainThread main = new MainThread();

	@Override public void execute(final Work work) {
		main.run(new Runnable() {
			@Override public void run() {
				work.run();
			}
		});
	}
}
