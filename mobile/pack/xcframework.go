package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
)

// packXCFramework builds the Swift package.
func packXCFramework(out string) error {
	if err := findXcode(); err != nil {
		return err
	}
	framework := filepath.Join(out, frameworkName)
	if err := removeEarlier(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	err := gomobile("-target=ios,iossimulator", "-iosversion="+iosVersion, "-prefix="+objcPrefix, "-trimpath", "-ldflags=-s -w", "-o",
		framework, bound)
	if err != nil {
		return err
	}
	if err := finishXCFramework(framework, "mobile/ios/PrivacyInfo.xcprivacy"); err != nil {
		return err
	}
	if err := addHost(out, "mobile/ios"); err != nil {
		return err
	}
	if err := addFacade(out, "mobile"); err != nil {
		return err
	}
	// A second one, not stripped, is what reports of crashes are read with.
	symbols := out + "-symbols"
	if err := os.RemoveAll(symbols); err != nil {
		return err
	}
	err = gomobile("-target=ios,iossimulator", "-iosversion="+iosVersion, "-prefix="+objcPrefix, "-trimpath", "-o",
		filepath.Join(symbols, frameworkName), bound)
	if err != nil {
		return err
	}
	if err := publishSwift(out, out+"-release"); err != nil {
		return err
	}
	fmt.Printf("%s: a Swift package; sign Rehearsal.xcframework with codesign before it ships\n", out)
	return nil
}

func findXcode() error {
	if runtime.GOOS != "darwin" {
		return fmt.Errorf("the iOS framework is built on a Mac with Xcode, this is %s", runtime.GOOS)
	}
	if err := exec.Command("xcrun", "--sdk", "iphoneos", "--find", "clang").Run(); err != nil {
		return fmt.Errorf("there is no Xcode with the iOS SDK, or it is not chosen: run xcode-select")
	}
	return nil
}

// finishXCFramework puts the versions of every framework in it right, where gomobile leaves a time and iOS 100, and places the
// privacy manifest.
func finishXCFramework(dir, privacy string) error {
	frameworks, err := filepath.Glob(filepath.Join(dir, "*", "*.framework"))
	if err != nil || len(frameworks) == 0 {
		return fmt.Errorf("there is no framework in %s", dir)
	}
	for _, framework := range frameworks {
		file := filepath.Join(framework, "Info.plist")
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for key, value := range map[string]string{
			"MinimumOSVersion": iosVersion, "CFBundleShortVersionString": actions.Version, "CFBundleVersion": actions.Version,
			"CFBundleIdentifier": "io.github.rehearsalsdk.Rehearsal",
		} {
			entry := regexp.MustCompile(`(<key>` + key + `</key>\s*<string>)[^<]*(</string>)`)
			if !entry.Match(text) {
				return fmt.Errorf("%s has no %s", file, key)
			}
			text = entry.ReplaceAll(text, []byte("${1}"+value+"${2}"))
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
		if err := copyFile(privacy, filepath.Join(framework, "PrivacyInfo.xcprivacy")); err != nil {
			return err
		}
	}
	return nil
}

const frameworkName = "Rehearsal.xcframework"

// removeEarlier removes what an earlier run has left, and nothing else: the folder may be anybody's.
func removeEarlier(out string) error {
	for _, made := range []string{filepath.Join(out, frameworkName), hostFolder(out), facadeFolder(out), playgroundFolder(out),
		filepath.Join(out, "Package.swift")} {
		if err := os.RemoveAll(made); err != nil {
			return err
		}
	}
	return nil
}

// hostFolder is where the Swift package has the host's sources.
func hostFolder(out string) string { return filepath.Join(out, "Sources", "RehearsalHost") }

// facadeFolder is where the Swift package has what Swift adds.
func facadeFolder(out string) string { return filepath.Join(out, "Sources", "RehearsalActions") }

// playgroundFolder is where the Swift package has what joins a playground.
func playgroundFolder(out string) string { return filepath.Join(out, "Sources", "RehearsalPlayground") }

// addFacade adds what Swift adds. The privacy manifest is there as well, for those who take nothing else: Xcode does not find the one of
// a static framework.
func addFacade(out, mobile string) error {
	sources, err := filepath.Glob(filepath.Join(mobile, "swift", "Sources", "RehearsalActions", "*.swift"))
	if err != nil || len(sources) == 0 {
		return fmt.Errorf("the sources for Swift are not in %s: run this in the root of the module", mobile)
	}
	for _, source := range append(sources, filepath.Join(mobile, "ios", "PrivacyInfo.xcprivacy")) {
		if err := copyFile(source, filepath.Join(facadeFolder(out), filepath.Base(source))); err != nil {
			return err
		}
	}
	joins := os.DirFS(filepath.Join(mobile, "swift", "Sources", "RehearsalPlayground"))
	if err := os.CopyFS(playgroundFolder(out), joins); err != nil {
		return err
	}
	// The pages of DocC's catalogue, of which Xcode makes documentation.
	const catalogue = "RehearsalActions.docc"
	return os.CopyFS(filepath.Join(facadeFolder(out), catalogue),
		os.DirFS(filepath.Join(mobile, "swift", "Sources", "RehearsalActions", catalogue)))
}

// addHost adds the host's sources and the description of the package.
func addHost(out, ios string) error {
	sources, err := filepath.Glob(filepath.Join(ios, "Host", "*.[hm]"))
	if err != nil || len(sources) == 0 {
		return fmt.Errorf("the sources of the host are not in %s: run this in the root of the module", ios)
	}
	host := hostFolder(out)
	for _, source := range sources {
		if err := copyFile(source, filepath.Join(host, filepath.Base(source))); err != nil {
			return err
		}
	}
	for from, to := range map[string]string{
		"Host/include/RHHost.h": filepath.Join(host, "include", "RHHost.h"),
		"PrivacyInfo.xcprivacy": filepath.Join(host, "PrivacyInfo.xcprivacy"),
		"Package.swift":         filepath.Join(out, "Package.swift"),
	} {
		if err := copyFile(filepath.Join(ios, filepath.FromSlash(from)), to); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}
