package io.github.rehearsalsdk.proof;

import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.ArgumentList;
import io.github.rehearsalsdk.actions.Arguments;
import io.github.rehearsalsdk.actions.ClipboardHost;
import io.github.rehearsalsdk.actions.Completion;
import io.github.rehearsalsdk.actions.DismissHost;
import io.github.rehearsalsdk.actions.Event;
import io.github.rehearsalsdk.actions.Invocation;
import io.github.rehearsalsdk.actions.LinkCompletion;
import io.github.rehearsalsdk.actions.LinkHost;
import io.github.rehearsalsdk.actions.LinkInterceptor;
import io.github.rehearsalsdk.actions.NotificationHost;
import io.github.rehearsalsdk.actions.PermissionCompletion;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.actions.ReviewHost;
import io.github.rehearsalsdk.actions.SettingsHost;
import io.github.rehearsalsdk.actions.Source;
import io.github.rehearsalsdk.actions.TrackingHost;
import io.github.rehearsalsdk.actions.UserDataHost;

/** A host that notes what is done to it and answers at once, as a vector wants it. */
final class Phone implements DismissHost, LinkHost, LinkInterceptor, NotificationHost, SettingsHost, ClipboardHost, ReviewHost,
		TrackingHost, UserDataHost {
	private final Arguments spec;
	private final ArgumentList effects = new ArgumentList();

	Phone(Arguments spec) {
		this.spec = spec;
	}

	void install(Registry registry) {
		if (has("dismisser")) registry.setDismisser(this);
		if (has("link_opener")) registry.setLinkOpener(this);
		if (has("notifications")) registry.setNotifications(this);
		if (has("settings")) registry.setSettings(this);
		if (has("clipboard")) registry.setClipboard(this);
		if (has("reviewer")) registry.setReviewer(this);
		if (has("tracking")) registry.setTracking(this);
		if (has("user_data")) registry.setUserData(this);
		if (!spec.getString("interceptor", "").isEmpty()) registry.setLinkInterceptor(this);
	}

	private boolean has(String capability) {
		ArgumentList without = spec.getList("without");
		for (int i = 0; i < without.count(); i++) {
			if (without.at(i).asString("").equals(capability)) {
				return false;
			}
		}
		return true;
	}

	ArgumentList effects() {
		return effects;
	}

	/** What a recording action leaves. */
	void record(Invocation invocation) {
		Arguments effect = new Arguments();
		effect.setString("handler", invocation.identifier());
		effect.setArguments("arguments", invocation.arguments());
		Source source = invocation.source();
		Arguments payload = source.payload();
		if (source.kind().equals(Actions.SourceManual) && payload == null) {
			effect.setString("source", Actions.SourceManual);
		} else {
			Arguments object = new Arguments();
			object.setString("kind", source.kind());
			if (payload != null) {
				object.setArguments("payload", payload);
			}
			effect.setArguments("source", object);
		}
		effects.addArguments(effect);
	}

	private String refusal(String capability) {
		return spec.getArguments("refuse").getString(capability, "");
	}

	private static Arguments effect(String name, String... members) {
		Arguments effect = new Arguments();
		effect.setString("host", name);
		for (int i = 0; i < members.length; i += 2) {
			effect.setString(members[i], members[i + 1]);
		}
		return effect;
	}

	/** Has an effect unless the capability refuses. */
	private void work(String capability, Completion completion, Arguments effect) throws Exception {
		switch (refusal(capability)) {
			case "blocked":
				completion.blocked("refused by the platform");
				break;
			case "failed":
				throw new Exception("refused by the host");
			default:
				effects.addArguments(effect);
				completion.succeed();
		}
	}

	private void prompt(String capability, PermissionCompletion completion, String permission, Arguments effect) throws Exception {
		switch (refusal(capability)) {
			case "blocked":
				completion.blocked("refused by the platform");
				break;
			case "failed":
				throw new Exception("refused by the host");
			default:
				effects.addArguments(effect);
				completion.answer(permission);
		}
	}

	@Override public void dismiss(Completion completion) throws Exception {
		work("dismisser", completion, effect("dismiss"));
	}

	@Override public void openLink(String url, boolean inApp, Completion completion) throws Exception {
		Arguments effect = effect("link.open", "url", url);
		effect.setBool("in_app", inApp);
		work("link_opener", completion, effect);
	}

	@Override public void interceptLink(String url, LinkCompletion completion) {
		effects.addArguments(effect("interceptor", "url", url));
		if (spec.getString("interceptor", "").equals("handled")) {
			completion.handled();
		} else {
			completion.notHandled();
		}
	}

	@Override public void notificationStatus(PermissionCompletion completion) {
		completion.answer(spec.getString("notifications", ""));
	}

	@Override public void requestNotifications(PermissionCompletion completion) throws Exception {
		prompt("notifications", completion, spec.getString("notifications", ""), effect("notifications.request"));
	}

	@Override public void openSettings(String page, Completion completion) throws Exception {
		work("settings", completion, effect("settings.open", "page", page));
	}

	@Override public void writeText(String text, Completion completion) throws Exception {
		work("clipboard", completion, effect("clipboard.write", "text", text));
	}

	@Override public void requestReview(Completion completion) throws Exception {
		work("reviewer", completion, effect("review.request"));
	}

	@Override public void trackingStatus(PermissionCompletion completion) {
		completion.answer(spec.getString("tracking", ""));
	}

	@Override public void requestTracking(PermissionCompletion completion) throws Exception {
		prompt("tracking", completion, spec.getString("tracking", ""), effect("tracking.request"));
	}

	@Override public void addTag(String collection, String tag, Completion completion) throws Exception {
		work("user_data", completion, effect("tag.add", "collection", collection, "tag", tag));
	}

	@Override public void removeTag(String collection, String tag, Completion completion) throws Exception {
		work("user_data", completion, effect("tag.remove", "collection", collection, "tag", tag));
	}

	@Override public void trackEvent(Event event, Completion completion) throws Exception {
		Arguments effect = Actions.argumentsFromJSON(event.json());
		effect.setString("host", "event");
		work("user_data", completion, effect);
	}
}
