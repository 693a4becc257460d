package io.github.rehearsalsdk.android;

import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.Context;
import android.os.Build;
import io.github.rehearsalsdk.actions.ClipboardHost;
import io.github.rehearsalsdk.actions.Completion;

/** The clipboard. From Android 13 on the system itself shows what was copied. */
final class AndroidClipboard implements ClipboardHost {
	/** From this API level on a clipboard can be cleared; before, an empty text is as empty as it gets. */
	static final int CLEARING = 28;

	private final Screen screen;

	AndroidClipboard(Screen screen) {
		this.screen = screen;
	}

	@Override public void writeText(final String text, final Completion completion) {
		// Older systems give the clipboard to threads with a looper only.
		screen.main().work(completion, new MainThread.Work() {
			@Override public void run() throws Exception {
				ClipboardManager clipboard = (ClipboardManager) screen.application().getSystemService(Context.CLIPBOARD_SERVICE);
				if (clipboard == null) {
					completion.unsupported("this device has no clipboard");
					return;
				}
				if (text.isEmpty() && Build.VERSION.SDK_INT >= CLEARING) {
					ClipboardManager.class.getMethod("clearPrimaryClip").invoke(clipboard);
				} else {
					clipboard.setPrimaryClip(ClipData.newPlainText("text", text));
				}
				completion.succeed();
			}
		});
	}
}
