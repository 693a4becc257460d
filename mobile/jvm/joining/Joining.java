package io.github.rehearsalsdk.proof;

import io.github.rehearsalsdk.actions.Actions;
import io.github.rehearsalsdk.actions.Options;
import io.github.rehearsalsdk.actions.Registry;
import io.github.rehearsalsdk.playground.Playground;
import io.github.rehearsalsdk.playground.PlaygroundOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Arrays;

/** An app that joins, and does what each line of its input says; see playground_test.go. Its arguments are an address and a code. */
final class Joining {
	private static synchronized void print(String line) {
		System.out.println(line.replace("\n", " | "));
	}

	public static void main(String[] arguments) throws Exception {
		System.setProperty("java.vm.name", System.getProperty("machine", "JVM"));
		if (Boolean.getBoolean("cleartext")) { // as Android refuses it
			URL.setURLStreamHandlerFactory(protocol -> !protocol.equals("http") ? null : new URLStreamHandler() {
				@Override protected URLConnection openConnection(URL url) throws IOException {
					throw new IOException("CLEARTEXT communication to " + url.getHost() + " not permitted by network security policy");
				}

				@Override protected URLConnection openConnection(URL url, java.net.Proxy proxy) throws IOException {
					return openConnection(url);
				}
			});
		}
		long began = System.nanoTime();
		Registry registry = new Registry(new Options());
		registry.register("open-cart", i -> i.setValue(Actions.argumentsValue(i.arguments())));
		registry.setClipboard((text, completion) -> completion.succeed());
		PlaygroundOptions options = new PlaygroundOptions().name("Shop").version("1.4").log(line -> print("log " + (System.nanoTime() - began) / 1_000_000 + " ms " + line));
		if (Boolean.getBoolean("allowed")) {
			options.alsoInReleaseBuilds();
		}
		String code = arguments.length > 1 ? arguments[1] : null;
		Playground playground = Playground.join(registry, arguments[0], code, options).describe("open-cart", "{\"title\":\"Opens the cart\"}");
		BufferedReader in = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
		for (String line; (line = in.readLine()) != null; ) {
			String[] words = line.split(" ", 3);
			switch (words[0]) {
			case "start": registry.start(); break;
			case "leave": playground.leave(); break;
			case "again": playground = Playground.join(registry, arguments[0], code, options); break;
			case "register": registry.register(words[1], i -> { throw new IllegalStateException("sold out"); }); break;
			case "unregister": registry.unregister(words[1]); break;
			case "perform": print(registry.perform(words[1], Actions.argumentsFromJSON(words[2])).result().json()); break;
			case "slowest": // of many performs, in microseconds; and how long one takes mostly, in nanoseconds
				long[] took = new long[Integer.parseInt(words[1])];
				for (int i = 0; i < took.length; i++) {
					long begin = System.nanoTime();
					registry.perform("open-cart", null).close();
					took[i] = System.nanoTime() - begin;
				}
				Arrays.sort(took);
				print("slowest " + took[took.length - 1] / 1_000 + " " + took[took.length / 2]);
				break;
			default: throw new IllegalArgumentException(line);
			}
		}
		System.exit(0); // threads that Go has attached are no daemons
	}
}
