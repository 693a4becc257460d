//go:build proof

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// cross are the compilers that stand in for the NDK's, by the targets that gomobile asks for.
var cross = map[string]string{
	"aarch64-linux-android21":    "aarch64-linux-gnu-gcc",
	"armv7a-linux-androideabi21": "arm-linux-gnueabihf-gcc",
	"x86_64-linux-android21":     "x86_64-linux-gnu-gcc",
}

// TestRehearseAAR runs the real command, gomobile and all, with an SDK and an NDK that are made up of Debian's cross compilers. What
// comes of it has everything that ships and can be looked at; it is linked with another C library than Android's, so no phone
// would load it.
func TestRehearseAAR(t *testing.T) {
	proof.Need(t, "javac", "aarch64-linux-gnu-gcc", "arm-linux-gnueabihf-gcc", "x86_64-linux-gnu-gcc")
	root, dir := proof.Root(t), t.TempDir()
	sdk := filepath.Join(dir, "sdk")
	standIn(t, sdk, proof.Tool(t, "android-23.jar"))
	environment := []string{"ANDROID_HOME=" + sdk, "ANDROID_NDK_HOME="}
	var archives []string
	for _, name := range []string{"first.aar", "second.aar"} {
		aar := filepath.Join(dir, name)
		out := proof.Run(t, proof.Command{Dir: root, Name: "go", Arguments: []string{"run", "./mobile/pack", "aar", aar}, Environment: environment})
		for _, abi := range []string{"arm64-v8a", "armeabi-v7a", "x86_64"} {
			if !strings.Contains(out, abi) {
				t.Errorf("there is nothing for %s: %s", abi, out)
			}
		}
		archives = append(archives, read(t, aar))
	}
	t.Run("twice the same", func(t *testing.T) {
		if archives[0] != archives[1] {
			t.Error("a second build gives another archive")
		}
	})
	entries, err := readZip(filepath.Join(dir, "first.aar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		switch entry.name {
		case "classes.jar":
			t.Run("classes", func(t *testing.T) { checkClasses(t, entry.data) })
		case "proguard.txt":
			t.Run("rules", func(t *testing.T) {
				if string(entry.data) != read(t, filepath.Join(root, "mobile", "android", "consumer-rules.pro")) {
					t.Error("the rules are not those that are tested")
				}
			})
		}
	}
	t.Run("pages of 4 kB are refused", func(t *testing.T) {
		object := filepath.Join(dir, "small.so")
		source := filepath.Join(dir, "small.c")
		write(t, source, "int x;\n")
		proof.Run(t, proof.Command{Name: "aarch64-linux-gnu-gcc", Arguments: []string{"-shared", "-Wl,-z,max-page-size=4096", "-o", object, source}})
		if err := checkLibrary([]byte(read(t, object))); err == nil || !strings.Contains(err.Error(), "4096") {
			t.Errorf("the check says %v", err)
		}
	})
}

func checkClasses(t *testing.T, jar []byte) {
	classes, err := readZipBytes(jar)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, class := range classes {
		names[class.name] = true
	}
	for _, name := range []string{"go/Seq.class", "io/github/rehearsalsdk/actions/Registry.class", "io/github/rehearsalsdk/android/AndroidHost.class"} {
		if !names[name] {
			t.Errorf("there is no %s", name)
		}
	}
}

// standIn makes the files of an SDK and an NDK that gomobile looks at.
func standIn(t *testing.T, sdk, androidJar string) {
	t.Helper()
	write(t, filepath.Join(sdk, "platforms", "android-23", "android.jar"), read(t, androidJar))
	ndk := filepath.Join(sdk, "ndk", "28.0.0")
	write(t, filepath.Join(ndk, "source.properties"), "Pkg.Desc = Android NDK\nPkg.Revision = 28.0.0\n")
	write(t, filepath.Join(ndk, "meta", "platforms.json"), `{"min": 21, "max": 35}`)
	write(t, filepath.Join(ndk, "meta", "abis.json"), `{"arm64-v8a": {}, "armeabi-v7a": {}, "x86_64": {}}`)
	include, headers := filepath.Join(ndk, "include"), filepath.Join(proof.JavaHome(t), "include")
	const log = "int __android_log_print(int priority, const char *tag, const char *format, ...)"
	const vlog = "int __android_log_vprint(int priority, const char *tag, const char *format, __builtin_va_list arguments)"
	const wlog = "int __android_log_write(int priority, const char *tag, const char *text)"
	write(t, filepath.Join(include, "android", "log.h"),
		"#pragma once\nenum { ANDROID_LOG_INFO = 4, ANDROID_LOG_ERROR = 6, ANDROID_LOG_FATAL = 7 };\n"+log+";\n"+vlog+";\n"+wlog+";\n")
	write(t, filepath.Join(include, "jni.h"), "#include <stdint.h>\n#include_next <jni.h>\n") // as Android's does
	var cases strings.Builder
	for target, compiler := range cross {
		libraries := filepath.Join(ndk, "lib", target)
		for _, name := range []string{"log", "android"} {
			write(t, filepath.Join(libraries, name+".c"), log+" { return 0; }\n"+vlog+" { return 0; }\n"+wlog+" { return 0; }\n")
			proof.Run(t, proof.Command{Name: compiler, Arguments: []string{"-shared", "-fPIC", "-o", filepath.Join(libraries, "lib"+name+".so"), filepath.Join(libraries, name+".c")}})
		}
		fmt.Fprintf(&cases, "--target=%s) compiler=%s; libraries=%s ;;\n", target, compiler, libraries)
	}
	script := "#!/bin/sh\ncase $1 in\n" + cases.String() + "*) echo \"no stand-in for $1\" >&2; exit 1 ;;\nesac\nshift\n" +
		"exec $compiler -Wno-incompatible-pointer-types -I" + include + " -I" + headers + " -I" + filepath.Join(headers, "linux") + " -L$libraries \"$@\"\n"
	for _, name := range []string{"clang", "clang++"} {
		file := filepath.Join(ndk, "toolchains", "llvm", "prebuilt", "linux-x86_64", "bin", name)
		write(t, file, script)
		if err := os.Chmod(file, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}
