package io.github.rehearsalsdk.android;

import io.github.rehearsalsdk.actions.Event;

/** Keeps what is known of the current user. Its methods are called on the thread that performs; what they throw fails the action. */
public interface UserDataSink {
	/** Adds a tag to a collection of the user's. */
	void addTag(String collection, String tag) throws Exception;

	/** Removes a tag from a collection of the user's. */
	void removeTag(String collection, String tag) throws Exception;

	/** Sends an event. */
	void trackEvent(Event event) throws Exception;
}
