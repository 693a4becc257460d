package proof

import (
	"strings"
	"testing"
)

// Checks runs a program that prints one line a check, "ok NAME" or "not ok NAME: WHY", and makes a subtest of each. A program that
// ends badly, or that does not print the closing line "done", has failed too.
func Checks(t *testing.T, c Command) {
	t.Helper()
	stdout, stderr, err := Try(c)
	done := false
	for line := range strings.Lines(stdout) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "ok "); ok {
			t.Run(name, func(*testing.T) {})
		} else if text, ok := strings.CutPrefix(line, "not ok "); ok {
			name, why, _ := strings.Cut(text, ": ")
			t.Run(name, func(t *testing.T) { t.Error(why) })
		} else if line == "done" {
			done = true
		} else if line != "" {
			t.Log(line)
		}
	}
	if err != nil || !done {
		t.Errorf("%s did not end well: %v\n%s", c.Name, err, tail(stdout+stderr))
	}
}

// CheckedJNI are the flags that have a JVM check every call of JNI, and say so beside what the program prints.
func CheckedJNI() []string { return []string{"-Xcheck:jni", "-XX:+DisplayVMOutputToStderr"} }

// Checked runs a program that prints as for [Checks] in a JVM with [CheckedJNI].
func Checked(t *testing.T, c Command) {
	t.Helper()
	stdout, stderr, err := Try(c)
	if err != nil || !strings.HasSuffix(stdout, "done\n") || strings.Contains(stdout, "not ok ") {
		t.Fatalf("it did not end well: %v\n%s%s", err, stdout, stderr)
	}
	if stderr == "" {
		t.Error("the JVM says nothing at all: it does not check")
	}
	complainJNI(t, stdout+stderr)
}

// complainJNI looks at what a JVM says that checks JNI. The generated C does not check every call for an exception, which is said too;
// what matters is that it goes on with none pending.
func complainJNI(t testing.TB, said string) {
	t.Helper()
	for _, fatal := range []string{"exception pending", "FATAL ERROR"} {
		if strings.Contains(said, fatal) {
			t.Errorf("the JVM says %q: %s", fatal, tail(said))
		}
	}
}

// tail gives the end of a long text.
func tail(text string) string {
	const most = 4000
	if len(text) > most {
		return "..." + text[len(text)-most:]
	}
	return text
}
