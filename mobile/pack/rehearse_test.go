//go:build proof

package main

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// cross are the compilers that stand in for the NDK's, by the targets that gomobile asks for.
var cross = map[string]string{
	"aarch64-linux-android21":    "aarch64-linux-gnu-gcc",
	"armv7a-linux-androideabi21": "arm-linux-gnueabihf-gcc",
	"x86_64-linux-android21":     "x86_64-linux-gnu-gcc",
}

// TestRehearseAAR runs the real command, gomobile and all, with an SDK and an NDK that are made up of Debian's cross compilers. What comes
// of it has everything that ships and can be looked at; it is linked with another C library than Android's, so no phone would load it.
func TestRehearseAAR(t *testing.T) {
	proof.Need(t, "javac", "aarch64-linux-gnu-gcc", "arm-linux-gnueabihf-gcc", "x86_64-linux-gnu-gcc")
	root, dir := proof.Root(t), t.TempDir()
	sdk := filepath.Join(dir, "sdk")
	standIn(t, sdk, proof.Tool(t, "android-23.jar"))
	environment := []string{"ANDROID_HOME=" + sdk, "ANDROID_NDK_HOME="}
	var archives []string
	for i, name := range []string{"first.aar", "second.aar"} {
		aar := filepath.Join(dir, name)
		out := proof.Run(t, proof.Command{Dir: root, Name: "go", Arguments: []string{"run", "./mobile/pack", "aar", aar},
			Environment: environment})
		for _, abi := range []string{"arm64-v8a", "armeabi-v7a", "x86_64"} {
			proof.Hold(t, strings.Contains(out, abi), "there is nothing for %s: %s", abi, out)
		}
		archives = append(archives, read(t, aar))
		for _, ending := range []string{"-sources.jar", "-javadoc.jar"} {
			archives[i] += read(t, mavenFile(strings.TrimSuffix(aar, ".aar")+"-maven", ending))
		}
	}
	t.Run("twice the same", func(t *testing.T) {
		proof.Hold(t, archives[0] == archives[1], "a second build gives another archive")
	})
	t.Run("symbols", func(t *testing.T) { checkSymbols(t, filepath.Join(dir, "first.aar")) })
	t.Run("what the system has to have", func(t *testing.T) { checkImports(t, filepath.Join(dir, "first.aar")) })
	t.Run("repository", func(t *testing.T) { checkRepository(t, filepath.Join(dir, "first-maven")) })
	entries := proof.Get(readZip(filepath.Join(dir, "first.aar")))(t)
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
		proof.Run(t, proof.Command{Name: "aarch64-linux-gnu-gcc", Arguments: []string{"-shared", "-Wl,-z,max-page-size=4096", "-o", object,
			source}})
		if err := checkLibrary([]byte(read(t, object))); err == nil || !strings.Contains(err.Error(), "4096") {
			t.Errorf("the check says %v", err)
		}
	})
}

func checkClasses(t *testing.T, jar []byte) {
	classes := proof.Get(readZipBytes(jar))(t)
	names := map[string]bool{}
	for _, class := range classes {
		names[class.name] = true
		// What mobile/pack/gobind adds has to be in what ships, and not only where the tests run it.
		if class.name == "io/github/rehearsalsdk/actions/Task.class" && !bytes.Contains(class.data, []byte("java/lang/AutoCloseable")) {
			t.Errorf("%s cannot be closed", class.name)
		}
	}
	for _, name := range []string{"go/Seq.class", "io/github/rehearsalsdk/actions/Registry.class", "io/github/rehearsalsdk/actions/Task.class",
		"io/github/rehearsalsdk/android/AndroidHost.class"} {
		proof.Hold(t, names[name], "there is no %s", name)
	}
}

// checkSymbols looks for a library that is not stripped, of the same build, for each that ships.
func checkSymbols(t *testing.T, aar string) {
	shipped := proof.Get(readZip(aar))(t)
	kept := proof.Get(readZip(symbolsBeside(aar)))(t)
	for _, symbols := range kept {
		i := slices.IndexFunc(shipped, func(e zipEntry) bool { return e.name == "jni/"+symbols.name })
		if i < 0 || !sameBuild(shipped[i].data, symbols.data) {
			t.Fatalf("%s is of no library that ships", symbols.name)
		}
		for what, library := range map[string]zipEntry{"ships": shipped[i], "is kept": symbols} {
			file := proof.Get(elf.NewFile(bytes.NewReader(library.data)))(t)
			if has := file.Section(".debug_info") != nil || file.Section(".zdebug_info") != nil; has != (what == "is kept") {
				t.Errorf("%s: what %s has symbols: %t", symbols.name, what, has)
			}
		}
	}
	proof.Hold(t, len(kept) == 3, "%d libraries have symbols", len(kept))
}

// checkImports looks for functions that Android 5 does not have. Where there is an NDK its linker does; here a list stands in for it.
func checkImports(t *testing.T, aar string) {
	entries := proof.Get(readZip(aar))(t)
	known := strings.Fields(androidHas + standInHas)
	for _, entry := range entries {
		if filepath.Base(entry.name) != libraryName {
			continue
		}
		file := proof.Get(elf.NewFile(bytes.NewReader(entry.data)))(t)
		symbols, err := file.ImportedSymbols()
		proof.Hold(t, err == nil && len(symbols) >= 20, "%s imports %d symbols (%v)", entry.name, len(symbols), err)
		for _, symbol := range symbols {
			if !slices.Contains(known, symbol.Name) {
				t.Errorf("%s imports %s: see whether Android has it from API level %d on, and put it into the list", entry.name, symbol.Name,
					androidAPI)
			}
		}
	}
}

// androidHas is what the libraries import and Android has from API level 21 on, or earlier; standInHas what Debian's C library has in the
// place of something else: of __errno, of __sF, and of what Android's linker does by itself.
const (
	androidHas = `__android_log_print __android_log_vprint __android_log_write __cxa_finalize abort clearenv dlclose dlopen dlsym fprintf fputc free fwrite malloc memcpy mmap munmap
		nanosleep pthread_attr_destroy pthread_attr_getstack pthread_attr_getstacksize pthread_attr_init pthread_attr_setdetachstate pthread_cond_broadcast
		pthread_cond_wait pthread_create pthread_getattr_np pthread_key_create pthread_mutex_lock pthread_mutex_unlock pthread_self pthread_setspecific
		pthread_sigmask setegid setenv seteuid setgid setgroups setregid setresgid setresuid setreuid setuid sigaction sigaddset sigemptyset sigfillset
		sigismember strerror unsetenv vfprintf `
	standInHas = `__errno_location stderr __gmon_start__ _ITM_deregisterTMCloneTable _ITM_registerTMCloneTable`
)

// checkRepository has a fresh project of Maven take the library.
func checkRepository(t *testing.T, repository string) {
	proof.Need(t, "mvn")
	for ending, file := range map[string]string{
		"-sources.jar": "io/github/rehearsalsdk/android/AndroidHost.java", "-javadoc.jar": "io/github/rehearsalsdk/actions/Registry.html",
	} {
		entries, err := readZip(mavenFile(repository, ending))
		if err != nil || !slices.ContainsFunc(entries, func(e zipEntry) bool { return e.name == file }) {
			t.Errorf("%s has no %s (%v)", ending, file, err)
		}
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "pom.xml"), `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
		<groupId>fresh</groupId><artifactId>fresh</artifactId><version>1</version><packaging>pom</packaging>
		<repositories><repository><id>built</id><url>file://`+repository+`</url><releases><checksumPolicy>fail</checksumPolicy></releases></repository></repositories>
		<dependencies><dependency><groupId>`+javaPackage+`</groupId><artifactId>`+mavenArtifact+`</artifactId><version>`+actions.Version+`</version><type>aar</type></dependency>
		<dependency><groupId>`+javaPackage+`</groupId><artifactId>`+playgroundArtifact+`</artifactId>
		<version>`+actions.Version+`</version></dependency></dependencies>
		</project>`)
	proof.Run(t, proof.Command{Dir: dir, Name: "mvn", Arguments: []string{"--quiet", "--batch-mode", "-Dmaven.repo.local=" + ownCache(t),
		"dependency:copy-dependencies",
		"-DoutputDirectory=" + filepath.Join(dir, "taken")}})
	if read(t, filepath.Join(dir, "taken", mavenArtifact+"-"+actions.Version+".aar")) != read(t, mavenFile(repository, ".aar")) {
		t.Error("Maven takes another file")
	}
	taken := proof.Get(readZip(filepath.Join(dir, "taken", playgroundArtifact+"-"+actions.Version+".jar")))(t)
	if !slices.ContainsFunc(taken, func(e zipEntry) bool { return e.name == "io/github/rehearsalsdk/playground/AndroidPlayground.class" }) {
		t.Errorf("the playground has %d entries", len(taken))
	}
}

// ownCache gives Maven a folder for what it has fetched, in which is what there is already, but no library of an earlier run.
func ownCache(t *testing.T) string {
	t.Helper()
	cache := t.TempDir()
	home := proof.Get(os.UserHomeDir())(t)
	shared := filepath.Join(home, ".m2", "repository")
	entries, _ := os.ReadDir(shared) // there need not be any
	for _, entry := range entries {
		if entry.Name() == "io" {
			continue
		}
		proof.Do(t, os.Symlink(filepath.Join(shared, entry.Name()), filepath.Join(cache, entry.Name())))
	}
	return cache
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
			proof.Run(t, proof.Command{Name: compiler, Arguments: []string{"-shared", "-fPIC", "-o", filepath.Join(libraries, "lib"+name+".so"),
				filepath.Join(libraries, name+".c")}})
		}
		fmt.Fprintf(&cases, "--target=%s) compiler=%s; libraries=%s ;;\n", target, compiler, libraries)
	}
	script := "#!/bin/sh\ncase $1 in\n" + cases.String() + "*) echo \"no stand-in for $1\" >&2; exit 1 ;;\nesac\nshift\n" +
		"exec $compiler -Wno-incompatible-pointer-types -I" + include + " -I" + headers + " -I" + filepath.Join(headers,
		"linux") + " -L$libraries \"$@\"\n"
	const strip = "#!/bin/sh\nfor prefix in aarch64-linux-gnu- arm-linux-gnueabihf- x86_64-linux-gnu-; do ${prefix}strip \"$@\" 2>/dev/null && exit; done\nexit 1\n"
	for name, script := range map[string]string{"clang": script, "clang++": script, "llvm-strip": strip} {
		file := filepath.Join(ndk, "toolchains", "llvm", "prebuilt", "linux-x86_64", "bin", name)
		write(t, file, script)
		proof.Do(t, os.Chmod(file, 0o755))
	}
}
