package io.github.rehearsalsdk.playground;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.MalformedURLException;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The addresses by which a server may be reached: the one that was given, and the aliases of the developer's computer. */
final class Addresses {
	private static final String NOT_YET = "no answer yet", ANSWERS = "";

	private final boolean android;
	/** By address, what came of the last attempt. */
	private final Map<String, String> outcomes = new LinkedHashMap<>();
	private String port = "8080";
	private boolean cleartext, permission;

	Addresses(String given, boolean android) {
		this.android = android;
		String base = given == null || given.isEmpty() ? "http://127.0.0.1:8080" : given.replaceAll("/+$", "");
		base = base.contains("://") ? base : "http://" + base;
		outcomes.put(base, NOT_YET);
		try {
			URL url = new URL(base);
			port = String.valueOf(url.getPort() < 0 ? url.getDefaultPort() : url.getPort());
			for (String host : android ? new String[] {"127.0.0.1", "10.0.2.2", "10.0.3.2"} : new String[] {"127.0.0.1"}) {
				outcomes.put(url.getProtocol() + "://" + host + ":" + port, NOT_YET);
			}
		} catch (MalformedURLException e) {
			port = ""; // which is told when it is asked
		}
	}

	/** Asks all addresses at once, and gives the first in their order that answers within the limit, or null. */
	synchronized String find(final int limit) throws InterruptedException {
		for (final String base : outcomes.keySet()) {
			outcomes.put(base, NOT_YET);
			Thread asking = new Thread("playground-asks") { // looking up a name may take longer than any limit
				@Override public void run() {
					ask(base, limit);
				}
			};
			asking.setDaemon(true);
			asking.start();
		}
		long end = System.nanoTime() + limit * 1_000_000L;
		for (long left; (left = (end - System.nanoTime()) / 1_000_000) > 0 && outcomes.containsValue(NOT_YET); ) {
			if (outcomes.values().iterator().next().equals(ANSWERS)) {
				break;
			}
			wait(left);
		}
		for (Map.Entry<String, String> one : outcomes.entrySet()) {
			if (one.getValue().equals(ANSWERS)) {
				return one.getKey();
			}
		}
		return null;
	}

	private void ask(String base, int limit) {
		String outcome;
		try {
			HttpURLConnection c = open(base + "/join", limit);
			int status = c.getResponseCode();
			text(status < 400 ? c.getInputStream() : c.getErrorStream());
			outcome = status == 200 ? ANSWERS : "another program answers there (" + status + "), or an older server";
		} catch (Exception e) {
			outcome = told(base, e);
		}
		synchronized (this) {
			outcomes.put(base, outcome);
			notifyAll();
		}
	}

	private synchronized String told(String base, Exception e) {
		String message = String.valueOf(e.getMessage());
		if (message.contains("CLEARTEXT")) {
			cleartext = true;
			return "this build forbids plain HTTP";
		} else if (e instanceof SecurityException || message.contains("EPERM") || message.contains("EACCES")) {
			permission = true;
			return "this build has no permission for the network";
		} else if (e instanceof MalformedURLException) {
			return "this is no address; one is http://192.168.1.5:8080";
		} else if (e instanceof UnknownHostException) {
			return "the name is not known here: give the number instead";
		} else if (e instanceof SocketTimeoutException) {
			return "no answer: another network, or a firewall";
		} else if (e instanceof ConnectException && base.contains("//127.") && android) {
			return "nothing listens there: run adb reverse tcp:" + port + " tcp:" + port;
		}
		return e instanceof ConnectException ? "nothing listens there" : e.toString();
	}

	/** Says why no address answers, a sentence for each, and what to do next. */
	synchronized String why() {
		StringBuilder text = new StringBuilder("Playground: no server was found, and it is tried again.");
		for (Map.Entry<String, String> one : outcomes.entrySet()) {
			text.append("\n  ").append(one.getKey()).append(": ").append(one.getValue()).append('.');
		}
		if (cleartext) {
			text.append("\nNext: allow it in the debug build.").append(CLEARTEXT);
		} else if (permission) {
			text.append("\nNext: allow it in the debug build, in src/debug/AndroidManifest.xml:\n").append(PERMISSION);
		} else {
			text.append("\nNext: start mockserver serve; for another device serve --lan, and give the address and code of its page (Connect an app).");
		}
		return text.toString();
	}

	private static final String PERMISSION = "    <uses-permission android:name=\"android.permission.INTERNET\" />\n";

	static final String CLEARTEXT = " src/debug/AndroidManifest.xml:\n"
			+ "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\">\n"
			+ PERMISSION
			+ "    <application android:networkSecurityConfig=\"@xml/playground\" />\n"
			+ "</manifest>\n"
			+ "src/debug/res/xml/playground.xml:\n"
			+ "<network-security-config>\n"
			+ "    <base-config cleartextTrafficPermitted=\"true\" />\n"
			+ "</network-security-config>";

	static HttpURLConnection open(String url, int limit) throws IOException {
		HttpURLConnection c = (HttpURLConnection) new URL(url).openConnection(Proxy.NO_PROXY);
		c.setConnectTimeout(limit);
		c.setReadTimeout(limit);
		c.setUseCaches(false);
		c.setInstanceFollowRedirects(false);
		return c;
	}

	/** Reads an answer to its end, which is near. */
	static String text(InputStream in) throws IOException {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		byte[] part = new byte[4_096];
		for (int n; in != null && (n = in.read(part)) >= 0 && out.size() < 1 << 20; ) {
			out.write(part, 0, n);
		}
		return out.toString("UTF-8");
	}
}
