package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	proof.Do(t, os.MkdirAll(filepath.Dir(name), 0o755))
	proof.Do(t, os.WriteFile(name, []byte(text), 0o644))
}

func read(t *testing.T, name string) string {
	t.Helper()
	text := proof.Get(os.ReadFile(name))(t)
	return string(text)
}

// TestFinishXCFramework works on a framework as gomobile leaves it, without the libraries.
func TestFinishXCFramework(t *testing.T) {
	dir := t.TempDir()
	const plist = `<plist version="1.0">
<dict>
  <key>CFBundleExecutable</key>
  <string>Rehearsal</string>
  <key>CFBundleIdentifier</key>
  <string>Rehearsal</string>
  <key>MinimumOSVersion</key>
  <string>100.0</string>
  <key>CFBundleShortVersionString</key>
  <string>0.0.1763640000</string>
  <key>CFBundleVersion</key>
  <string>0.0.1763640000</string>
</dict>
</plist>`
	slices := []string{"ios-arm64", "ios-arm64_x86_64-simulator"}
	for _, slice := range slices {
		write(t, filepath.Join(dir, slice, "Rehearsal.framework", "Info.plist"), plist)
	}
	proof.Do(t, finishXCFramework(dir, "../ios/PrivacyInfo.xcprivacy"))
	for _, slice := range slices {
		framework := filepath.Join(dir, slice, "Rehearsal.framework")
		got := read(t, filepath.Join(framework, "Info.plist"))
		if strings.Contains(got, "100.0") || strings.Contains(got, "17636") || strings.Count(got, actions.Version) != 2 ||
			!strings.Contains(got, "<string>13.0</string>") || !strings.Contains(got, "<string>Rehearsal</string>") {
			t.Errorf("%s: Info.plist is\n%s", slice, got)
		}
		if read(t, filepath.Join(framework, "PrivacyInfo.xcprivacy")) != read(t, "../ios/PrivacyInfo.xcprivacy") {
			t.Errorf("%s: the privacy manifest is not there", slice)
		}
	}
	if err := finishXCFramework(t.TempDir(), "../ios/PrivacyInfo.xcprivacy"); err == nil {
		t.Error("a folder without a framework is fine")
	}
}

func TestAddHost(t *testing.T) {
	out := t.TempDir()
	proof.Do(t, addHost(out, "../ios"))
	for _, name := range []string{"Package.swift", "Sources/RehearsalHost/RHClipboard.m", "Sources/RehearsalHost/include/RHHost.h",
		"Sources/RehearsalHost/RHCapabilities.h", "Sources/RehearsalHost/PrivacyInfo.xcprivacy"} {
		proof.Hold(t, read(t, filepath.Join(out, name)) != "", "%s is empty", name)
	}
}

// TestRemoveEarlier: a folder that holds other things keeps them.
func TestRemoveEarlier(t *testing.T) {
	out := t.TempDir()
	proof.Do(t, addHost(out, "../ios"))
	write(t, filepath.Join(out, "Rehearsal.xcframework", "Info.plist"), "old")
	write(t, filepath.Join(out, "Sources", "Own", "own.swift"), "own")
	proof.Do(t, removeEarlier(out))
	for _, name := range []string{"Rehearsal.xcframework", "Package.swift", "Sources/RehearsalHost"} {
		if _, err := os.Stat(filepath.Join(out, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	proof.Hold(t, read(t, filepath.Join(out, "Sources", "Own", "own.swift")) == "own", "a file of somebody else's has changed")
}

// TestFinishAAR works on an archive as gomobile leaves it, without the libraries.
func TestFinishAAR(t *testing.T) {
	dir := t.TempDir()
	jar := proof.Get(writeZip([]zipEntry{{"go/Seq.class", []byte("seq")}}))(t)
	archive := proof.Get(writeZip([]zipEntry{{"proguard.txt", nil}, {"AndroidManifest.xml", nil}, {"classes.jar", jar}, {"res/", nil}}))(t)
	aar, classes := filepath.Join(dir, "x.aar"), filepath.Join(dir, "classes")
	write(t, aar, string(archive))
	write(t, filepath.Join(classes, "a", "B.class"), "b")
	proof.Do(t, finishAAR(aar, classes, []byte("-keep x")))
	once := read(t, aar)
	entries := proof.Get(readZip(aar))(t)
	got := map[string]string{}
	for _, entry := range entries {
		got[entry.name] = string(entry.data)
	}
	if got["proguard.txt"] != "-keep x" || !strings.Contains(got["AndroidManifest.xml"], `minSdkVersion="21"`) {
		t.Errorf("the rules or the manifest are not there: %q", got)
	}
	inner, err := readZipBytes([]byte(got["classes.jar"]))
	if err != nil || len(inner) != 2 || inner[0].name != "a/B.class" || inner[1].name != "go/Seq.class" {
		t.Errorf("the classes are %v, %v", inner, err)
	}
	write(t, aar, string(archive))
	if err := finishAAR(aar, classes, []byte("-keep x")); err != nil || read(t, aar) != once {
		t.Errorf("a second time it is another archive (%v)", err)
	}
	if err := checkAAR(aar); err == nil || !strings.Contains(err.Error(), "no library") {
		t.Errorf("an archive without a library gives %v", err)
	}
}

// TestMissing: what is missing is said in one line that tells what to do.
func TestMissing(t *testing.T) {
	home := t.TempDir()
	t.Setenv("ANDROID_HOME", filepath.Join(home, "nowhere"))
	t.Setenv("ANDROID_NDK_HOME", "")
	expect := func(says string) {
		t.Helper()
		_, err := findAndroid()
		if says == "" && err == nil {
			return
		}
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("it says %v, want %q", err, says)
		}
	}
	expect("ANDROID_HOME")
	t.Setenv("ANDROID_HOME", home)
	expect("sdkmanager \"platforms;")
	write(t, filepath.Join(home, "platforms", "android-19", "android.jar"), "")
	expect("sdkmanager \"platforms;")
	write(t, filepath.Join(home, "platforms", "android-9", "android.jar"), "")
	write(t, filepath.Join(home, "platforms", "android-35", "android.jar"), "")
	write(t, filepath.Join(home, "platforms", "android-36.1", "android.jar"), "")
	expect("sdkmanager \"ndk;")
	write(t, filepath.Join(home, "ndk", "28", "meta", "platforms.json"), "{}")
	expect("llvm-strip")
	write(t, filepath.Join(home, "ndk", "28", "toolchains", "llvm", "prebuilt", "linux-x86_64", "bin", "llvm-strip"), "")
	t.Setenv("PATH", "")
	expect("javac")
	sdk, _ := findAndroid()
	proof.Hold(t, filepath.Base(filepath.Dir(sdk.platform)) == "android-36.1", "the platform is %s", sdk.platform)
	if err := run(nil); err == nil {
		t.Error("nothing to build is fine")
	}
}
