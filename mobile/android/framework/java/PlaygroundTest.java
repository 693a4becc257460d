package io.github.rehearsalsdk.proof;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import android.content.ClipboardManager;
import android.content.Context;
import android.content.SharedPreferences;
import android.content.pm.ApplicationInfo;
import io.github.rehearsalsdk.playground.AndroidPlayground;
import io.github.rehearsalsdk.playground.Playground;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.robolectric.RobolectricTestRunner;
import org.robolectric.annotation.Config;

/** An app on the screen that joins the hub of framework_test.go, which has it copy a text. */
@RunWith(RobolectricTestRunner.class)
@Config(manifest = Config.NONE, sdk = 35)
public final class PlaygroundTest {
	@Test public void isPerformedOn() throws Exception {
		App app = new App();
		App.shown();
		app.application.getApplicationInfo().flags &= ~ApplicationInfo.FLAG_DEBUGGABLE;
		SharedPreferences kept = app.application.getSharedPreferences("io.github.rehearsalsdk.playground", Context.MODE_PRIVATE);
		AndroidPlayground.join(app.application, app.registry, System.getProperty("hub"), null);
		assertTrue("a release keeps nothing", kept.getAll().isEmpty());

		app.application.getApplicationInfo().flags |= ApplicationInfo.FLAG_DEBUGGABLE;
		Playground playground = AndroidPlayground.join(app.application, app.registry, System.getProperty("hub"), null);
		assertFalse(kept.getString("instance", "").isEmpty());
		ClipboardManager clipboard = (ClipboardManager) app.application.getSystemService(Context.CLIPBOARD_SERVICE);
		for (long end = System.nanoTime() + 120_000_000_000L; !clipboard.hasPrimaryClip() && System.nanoTime() < end; Thread.yield()) {
			App.settle(); // this is the main thread, and the clipboard wants it
		}
		assertEquals("from the page", clipboard.getPrimaryClip().getItemAt(0).getText().toString());
		app.result("service.clipboard", "{\"t\":\"by itself\"}").check();
		playground.leave();
		for (long end = System.nanoTime() + 120_000_000_000L; playground.isJoined() && System.nanoTime() < end; Thread.yield()) {
			App.settle();
		}
		assertFalse(playground.isJoined());
	}
}
