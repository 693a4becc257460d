package io.github.rehearsalsdk.fake;

import android.app.Activity;
import android.app.Application;
import android.content.Intent;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The device that the classes in the packages android.* here pretend to be. They have no members but those of the real classes. */
public final class Device {
	public static final int SDK = Integer.getInteger("sdk", 34);
	public static final int TARGET = Integer.getInteger("target", 34);

	private static final BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
	private static final Thread mainThread = new Thread(Device::loop, "main of the device");

	/** What was put on the clipboard, by whom; null when nothing was. */
	public static volatile String clip;
	public static volatile Thread clipThread;
	/** The intents that were started, each with "app" or "activity" in front. */
	public static final List<String> started = new ArrayList<>();
	/** Says which intents somebody takes. */
	public static volatile Predicate<Intent> takes = intent -> true;
	public static volatile boolean granted, enabled = true, refusedOnce, throwsSecurity;
	/** Another prompt of the app's is on the screen, so that the system shows no second one. */
	public static volatile boolean busy;
	/** An activity that asks while it is made is paused by the prompt only after it was resumed. */
	public static volatile boolean early;
	public static volatile int prompts;
	/** The folder of files that no backup takes along. */
	public static final File files = temporary();
	public static volatile Application.ActivityLifecycleCallbacks callbacks;
	private static volatile Activity prompting;

	private Device() { }

	private static File temporary() {
		try {
			File folder = Files.createTempDirectory("device").toFile();
			folder.deleteOnExit();
			return folder;
		} catch (IOException failure) {
			throw new AssertionError(failure);
		}
	}

	/** Forgets what the app has put into its folder. */
	public static void forget() {
		for (File file : files.listFiles()) {
			file.delete();
		}
	}

	static {
		mainThread.setDaemon(true);
		mainThread.start();
	}

	private static void loop() {
		for (;;) {
			try {
				queue.take().run();
			} catch (InterruptedException impossible) {
				throw new AssertionError(impossible);
			}
		}
	}

	public static boolean isMain() {
		return Thread.currentThread() == mainThread;
	}

	public static void post(Runnable work) {
		queue.add(work);
	}

	/** What may throw. */
	public interface Work {
		void run() throws Exception;
	}

	/** Runs it on the main thread and waits for it. */
	public static void onMain(Work work) throws Exception {
		FutureTask<Void> task = new FutureTask<>(() -> {
			work.run();
			return null;
		});
		post(task);
		task.get(60, TimeUnit.SECONDS);
	}

	public static void start(String from, Intent intent) {
		if (throwsSecurity) {
			throw new SecurityException("not exported");
		}
		if (!takes.test(intent)) {
			throw new android.content.ActivityNotFoundException(intent.toString());
		}
		started.add(from + " " + intent);
	}

	/** Shows the prompt of an activity. */
	public static void prompt(Activity activity) {
		prompts++;
		prompting = activity;
		if (!early) {
			callbacks.onActivityPaused(activity);
		}
	}

	/** The user answers the prompt: the system tells the activity, if it wants to know, and resumes it. */
	public static void answer(boolean yes, Runnable tell) throws Exception {
		onMain(() -> {
			granted = yes;
			refusedOnce = !yes;
			tell.run();
			callbacks.onActivityResumed(prompting);
		});
	}
}
