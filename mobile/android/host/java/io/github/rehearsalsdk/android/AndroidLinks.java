package io.github.rehearsalsdk.android;

import android.content.Intent;
import android.net.Uri;
import android.os.Bundle;
import io.github.rehearsalsdk.actions.Completion;
import io.github.rehearsalsdk.actions.LinkHost;

/**
 * Opens deeplinks. Inside the app means: by an activity of this app if one takes the link, else a web page in a browser tab over
 * this app. From Android 11 on the system shows an app only those other apps that its manifest asks for with {@code <queries>};
 * opening needs no such entry. From Android 10 on the system opens nothing for an app in the background, and does not tell.
 */
final class AndroidLinks implements LinkHost {
	/** With this extra, even when it is null, browsers open a tab over the app that asks. */
	private static final String TAB = "android.support.customtabs.extra.SESSION";

	private final Screen screen;

	AndroidLinks(Screen screen) {
		this.screen = screen;
	}

	@Override public void openLink(final String url, final boolean inApp, final Completion completion) {
		screen.main().work(completion, new MainThread.Work() {
			@Override public void run() {
				// Android compares schemes with regard to case, unlike everybody else.
				Uri uri = Uri.parse(url).normalizeScheme();
				if (inApp && (screen.start(view(uri).setPackage(screen.application().getPackageName())) || isWeb(uri) && screen.start(tab(uri)))
						|| screen.start(view(uri))) {
					completion.succeed();
				} else {
					completion.fail("no app on this device opens this link");
				}
			}
		});
	}

	private static Intent view(Uri uri) {
		return new Intent(Intent.ACTION_VIEW, uri);
	}

	private static Intent tab(Uri uri) {
		Bundle extras = new Bundle();
		extras.putBinder(TAB, null);
		return view(uri).putExtras(extras);
	}

	private static boolean isWeb(Uri uri) {
		return "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
	}
}
