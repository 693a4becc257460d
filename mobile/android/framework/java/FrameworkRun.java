package io.github.rehearsalsdk.proof;

import java.io.PrintStream;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Result;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs the tests of the classes that it is given with JUnit and prints one line for each; see mobile/internal/proof. */
public final class FrameworkRun {
	public static void main(String[] arguments) throws Exception {
		PrintStream out = new PrintStream(System.out, true, "UTF-8");
		JUnitCore core = new JUnitCore();
		core.addListener(new RunListener() {
			private boolean failed;

			@Override public void testStarted(Description test) {
				failed = false;
			}

			@Override public void testFailure(Failure failure) {
				failed = true;
				out.println("not ok " + failure.getDescription().getMethodName() + ": " + failure.getTrimmedTrace().replace("\n", " | "));
			}

			@Override public void testFinished(Description test) {
				if (!failed) {
					out.println("ok " + test.getMethodName());
				}
			}
		});
		Class<?>[] tests = new Class<?>[arguments.length];
		for (int i = 0; i < tests.length; i++) {
			tests[i] = Class.forName("io.github.rehearsalsdk.proof." + arguments[i]);
		}
		Result result = core.run(tests);
		if (result.getRunCount() > 0) {
			out.println("done");
		}
		Runtime.getRuntime().halt(0); // threads that Go has attached are no daemons
	}
}
