package io.github.rehearsalsdk.android;

import android.os.Handler;
import android.os.Looper;
import io.github.rehearsalsdk.actions.Completion;

/** Does things on the main thread, and never waits for it. (Lambdas would keep the host from compiling against a plain android.jar.) */
final class MainThread {
	private final Handler handler = new Handler(Looper.getMainLooper());

	/** What may throw. */
	interface Work {
		void run() throws Exception;
	}

	/** Runs it now when this is the main thread, otherwise soon. */
	void run(Runnable work) {
		if (Looper.myLooper() == Looper.getMainLooper()) {
			work.run();
		} else {
			handler.post(work);
		}
	}

	/** Runs it once what the main thread is at is over. */
	void post(Runnable work) {
		handler.post(work);
	}

	/** Does what a completion waits for; what it throws ends the completion. When its time is up by then, it would come out of the blue. */
	void work(final Completion completion, final Work work) {
		run(new Runnable() {
			@Override public void run() {
				if (completion.isEnded()) {
					return;
				}
				try {
					work.run();
				} catch (SecurityException refused) {
					completion.blocked(textOf(refused));
				} catch (Exception | LinkageError failure) {
					completion.fail(textOf(failure));
				}
			}
		});
	}

	static String textOf(Throwable failure) {
		return failure.getMessage() == null ? failure.getClass().getName() : failure.getMessage();
	}
}
