package main

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// linkerFlags align the library, and give it an identifier by which traces find its symbols. It is stripped afterwards.
func linkerFlags() string {
	return fmt.Sprintf("-extldflags=-Wl,-z,max-page-size=%d,--build-id=sha1", pageSize)
}

// packAAR builds the Android library.
func packAAR(out string) error {
	sdk, err := findAndroid()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	err = gomobile("-target=android/arm64,android/arm,android/amd64", fmt.Sprintf("-androidapi=%d", androidAPI), "-javapkg="+javaPackage,
		"-trimpath", "-ldflags="+linkerFlags(), "-o", out, bound)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "rehearsal-aar")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	classes, err := compileJava(sdk, out, "host", work)
	if err != nil {
		return err
	}
	rules, err := os.ReadFile("mobile/android/consumer-rules.pro")
	if err != nil {
		return err
	}
	if err := finishAAR(out, classes, rules); err != nil {
		return err
	}
	if err := stripAAR(out, symbolsBeside(out), sdk.strip, work); err != nil {
		return err
	}
	if err := checkAAR(out); err != nil {
		return err
	}
	if err := publishAAR(out, sdk.platform, work); err != nil {
		return err
	}
	return publishPlayground(sdk, out, work)
}

// beside gives the name of a file beside an .aar.
func beside(aar, ending string) string { return strings.TrimSuffix(aar, ".aar") + ending }

func symbolsBeside(aar string) string { return beside(aar, "-symbols.zip") }

// stripAAR strips the libraries of an .aar, and keeps them as they were in an archive that Play takes beside an app.
func stripAAR(aar, symbols, strip, work string) error {
	entries, err := readZip(aar)
	if err != nil {
		return err
	}
	var kept []zipEntry
	for i, entry := range entries {
		if path.Base(entry.name) != libraryName {
			continue
		}
		kept = append(kept, zipEntry{strings.TrimPrefix(entry.name, "jni/"), entry.data})
		file := filepath.Join(work, path.Base(path.Dir(entry.name))+"-"+libraryName)
		if err := os.WriteFile(file, entry.data, 0o644); err != nil {
			return err
		}
		if said, err := exec.Command(strip, "--strip-all", file).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", strip, err, said)
		}
		if entries[i].data, err = os.ReadFile(file); err != nil {
			return err
		}
		if !sameBuild(entry.data, entries[i].data) {
			return fmt.Errorf("%s has another build identifier than its symbols", entry.name)
		}
	}
	for name, entries := range map[string][]zipEntry{symbols: kept, aar: entries} {
		data, err := writeZip(entries)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// compileJava compiles a folder of mobile/android against the SDK and the classes of the .aar, and gives the folder of its classes.
func compileJava(sdk androidSDK, aar, folder, work string) (string, error) {
	bindings := filepath.Join(work, "classes.jar")
	if err := extract(aar, "classes.jar", bindings); err != nil {
		return "", err
	}
	sources, err := filepath.Glob("mobile/android/" + folder + "/java/io/github/rehearsalsdk/*/*.java")
	if err != nil || len(sources) == 0 {
		return "", fmt.Errorf("there are no sources in mobile/android/%s: run this in the root of the module", folder)
	}
	classes := filepath.Join(work, folder)
	arguments := []string{"-nowarn", "-Xlint:-options", "-encoding", "UTF-8", "-source", "8", "-target", "8", "-bootclasspath", sdk.platform,
		"-cp", bindings, "-d", classes}
	output, err := exec.Command("javac", append(arguments, sources...)...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("javac: %w\n%s", err, output)
	}
	return classes, nil
}

// manifest is the library's own. An app that does not want to ask for notifications removes the permission with tools:node="remove".
var manifest = strings.TrimSpace(fmt.Sprintf(`
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="io.github.rehearsalsdk">
    <uses-sdk android:minSdkVersion="%d" />
    <uses-permission android:name="android.permission.POST_NOTIFICATIONS" />
</manifest>`, androidAPI)) + "\n"

// finishAAR puts the host among the classes, and gives the library its own manifest and rules.
func finishAAR(aar, hostClasses string, rules []byte) error {
	entries, err := readZip(aar)
	if err != nil {
		return err
	}
	for i := range entries {
		switch entries[i].name {
		case "classes.jar":
			if entries[i].data, err = withClasses(entries[i].data, hostClasses); err != nil {
				return err
			}
		case "proguard.txt":
			entries[i].data = rules
		case "AndroidManifest.xml":
			entries[i].data = []byte(manifest)
		}
	}
	data, err := writeZip(entries)
	if err != nil {
		return err
	}
	return os.WriteFile(aar, data, 0o644)
}

// withClasses adds the classes of a folder to a jar.
func withClasses(jar []byte, dir string) ([]byte, error) {
	entries, err := readZipBytes(jar)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(dir, name)
		entries = append(entries, zipEntry{filepath.ToSlash(relative), data})
		return err
	})
	if err != nil {
		return nil, err
	}
	return writeZip(entries)
}
