//go:build proof

package framework_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// stubs are the classes that Robolectric's own instrumentation names and that Maven Central has not. It is enough that they link.
var stubs = map[string]string{
	"androidx.test.platform.app.InstrumentationRegistry": `public final class InstrumentationRegistry {
	private static android.app.Instrumentation instrumentation;
	private static android.os.Bundle arguments;
	public static void registerInstance(android.app.Instrumentation i, android.os.Bundle a) { instrumentation = i; arguments = a; }
	public static android.app.Instrumentation getInstrumentation() { return instrumentation; }
	public static android.os.Bundle getArguments() { return arguments; }
}`,
	"androidx.test.runner.lifecycle.ActivityLifecycleMonitorRegistry":    registry("ActivityLifecycleMonitor"),
	"androidx.test.runner.lifecycle.ApplicationLifecycleMonitorRegistry": registry("ApplicationLifecycleMonitor"),
	"androidx.test.runner.intent.IntentMonitorRegistry":                  registry("IntentMonitor"),
	"androidx.test.runner.intent.IntentStubberRegistry": `public final class IntentStubberRegistry {
	public static boolean isLoaded() { return false; }
	public static IntentStubber getInstance() { return null; }
}`,
	"androidx.test.internal.runner.lifecycle.ActivityLifecycleMonitorImpl": `import androidx.test.runner.lifecycle.*;
public final class ActivityLifecycleMonitorImpl implements ActivityLifecycleMonitor {
	public void signalLifecycleChange(Stage stage, android.app.Activity activity) { }
}`,
	"androidx.test.internal.runner.lifecycle.ApplicationLifecycleMonitorImpl": `import androidx.test.runner.lifecycle.*;
public final class ApplicationLifecycleMonitorImpl implements ApplicationLifecycleMonitor {
	public void signalLifecycleChange(android.app.Application application, ApplicationStage stage) { }
}`,
	"androidx.test.internal.runner.intent.IntentMonitorImpl": `public final class IntentMonitorImpl implements androidx.test.runner.intent.IntentMonitor {
	public void signalIntent(android.content.Intent intent) { }
}`,
	"androidx.test.runner.lifecycle.Stage":            `public enum Stage { PRE_ON_CREATE, CREATED, STARTED, RESUMED, PAUSED, STOPPED, RESTARTED, DESTROYED }`,
	"androidx.test.runner.lifecycle.ApplicationStage": `public enum ApplicationStage { PRE_ON_CREATE, CREATED }`,
	"androidx.test.runner.intent.IntentStubber": `public interface IntentStubber {
	android.app.Instrumentation.ActivityResult getActivityResultForIntent(android.content.Intent intent);
}`,
	"androidx.test.runner.lifecycle.ActivityLifecycleMonitor":    "public interface ActivityLifecycleMonitor { }",
	"androidx.test.runner.lifecycle.ApplicationLifecycleMonitor": "public interface ApplicationLifecycleMonitor { }",
	"androidx.test.runner.intent.IntentMonitor":                  "public interface IntentMonitor { }",
	"androidx.test.platform.ui.UiController":                     "public interface UiController { }",
	"androidx.test.internal.platform.app.ActivityInvoker":        "public interface ActivityInvoker { }",
	"androidx.test.internal.platform.content.PermissionGranter":  "public interface PermissionGranter { }",
	"androidx.test.internal.platform.os.ControlledLooper":        "public interface ControlledLooper { }",
	"androidx.test.internal.platform.ThreadChecker":              "public interface ThreadChecker { }",
}

func registry(of string) string {
	return "public final class " + of + "Registry { public static void registerInstance(" + of + " instance) { } }"
}

// compileStubs gives the folder of the compiled stubs.
func compileStubs(t *testing.T, android string) string {
	t.Helper()
	dir := t.TempDir()
	var files []string
	for name, body := range stubs {
		file := filepath.Join(dir, "source", strings.ReplaceAll(name, ".", "/")+".java")
		text := "package " + name[:strings.LastIndex(name, ".")] + ";\n" + body + "\n"
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	classes := filepath.Join(dir, "classes")
	proof.Compile(t, classes, []string{android}, files)
	return classes
}
