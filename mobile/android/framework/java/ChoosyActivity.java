package io.github.rehearsalsdk.proof;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.Intent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** An activity on a device where somebody, or nobody, takes an intent. It notes what was started from it. */
public final class ChoosyActivity extends Activity {
	Predicate<Intent> takes = intent -> true;
	/** A policy of the device, or of a work profile, refuses everything. */
	boolean refuses;
	final List<Intent> started = new ArrayList<>();

	@Override public void startActivity(Intent intent) {
		if (refuses) {
			throw new SecurityException("not allowed in this profile");
		}
		if (!takes.test(intent)) {
			throw new ActivityNotFoundException(intent.toString());
		}
		started.add(intent);
	}

	/** Gives the one intent that was started since the last look. */
	Intent only() {
		if (started.size() != 1) {
			throw new AssertionError("started were " + started);
		}
		return started.remove(0);
	}
}
