package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// androidSDK is where things are.
type androidSDK struct {
	home     string
	platform string // an android.jar
	strip    string // the NDK's llvm-strip
}

// findAndroid looks for what gomobile will look for, to say in one line what is missing.
func findAndroid() (androidSDK, error) {
	sdk := androidSDK{home: os.Getenv("ANDROID_HOME")}
	if sdk.home == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return sdk, err
		}
		sdk.home = filepath.Join(home, "Android", "Sdk")
		if runtime.GOOS == "darwin" {
			sdk.home = filepath.Join(home, "Library", "Android", "sdk")
		}
	}
	if info, err := os.Stat(sdk.home); err != nil || !info.IsDir() {
		return sdk, fmt.Errorf("the Android SDK is not in %s: install it, or set ANDROID_HOME to where it is", sdk.home)
	}
	if sdk.platform = newestPlatform(sdk.home); sdk.platform == "" {
		return sdk, fmt.Errorf(`the Android SDK in %s has no platform from %d on: run sdkmanager "platforms;android-35"`, sdk.home, androidAPI)
	}
	ndk := newestNDK(sdk.home)
	if ndk == "" {
		return sdk, fmt.Errorf(`there is no NDK in %s: run sdkmanager "ndk;28.0.13004108", or set ANDROID_NDK_HOME`, sdk.home)
	}
	found, err := filepath.Glob(filepath.Join(ndk, "toolchains", "llvm", "prebuilt", "*", "bin", "llvm-strip*"))
	if err != nil || len(found) == 0 {
		return sdk, fmt.Errorf("the NDK in %s has no llvm-strip: install it anew", ndk)
	}
	sdk.strip = found[0]
	if _, err := exec.LookPath("javac"); err != nil {
		return sdk, fmt.Errorf("there is no javac on the path: install a JDK, version 17 or later")
	}
	return sdk, nil
}

// newestPlatform gives the android.jar of the highest API level, or "".
func newestPlatform(home string) string {
	jars, _ := filepath.Glob(filepath.Join(home, "platforms", "android-*", "android.jar"))
	newest, best := "", androidAPI-1
	for _, jar := range jars {
		level, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(filepath.Dir(jar)), "android-"), ".")
		if n, err := strconv.Atoi(level); err == nil && n > best {
			newest, best = jar, n
		}
	}
	return newest
}

// newestNDK gives the folder of an NDK, or "": the one that is named, or else the last of those that are there.
func newestNDK(home string) string {
	newest := ""
	for _, pattern := range []string{
		filepath.Join(home, "ndk-bundle", "meta", "platforms.json"),
		filepath.Join(home, "ndk", "*", "meta", "platforms.json"),
		filepath.Join(os.Getenv("ANDROID_NDK_HOME"), "meta", "platforms.json"),
	} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			newest = filepath.Dir(filepath.Dir(found[len(found)-1]))
		}
	}
	return newest
}
