package io.github.rehearsalsdk.android;

import io.github.rehearsalsdk.actions.Completion;
import io.github.rehearsalsdk.actions.Event;
import io.github.rehearsalsdk.actions.UserDataHost;

/** Hands tags and events to what the app gave. */
final class AndroidUserData implements UserDataHost {
	private final UserDataSink sink;

	AndroidUserData(UserDataSink sink) {
		this.sink = sink;
	}

	@Override public void addTag(String collection, String tag, Completion completion) throws Exception {
		sink.addTag(collection, tag);
		completion.succeed();
	}

	@Override public void removeTag(String collection, String tag, Completion completion) throws Exception {
		sink.removeTag(collection, tag);
		completion.succeed();
	}

	@Override public void trackEvent(Event event, Completion completion) throws Exception {
		sink.trackEvent(event);
		completion.succeed();
	}
}
