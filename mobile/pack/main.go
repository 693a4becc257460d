// Command pack builds what apps link: `make aar` and `make xcframework` run it in the root of the module.
//
//	pack aar [FILE]             build/rehearsal.aar, for Android; beside it rehearsal-symbols.zip, and rehearsal-maven, a folder that is
//	                            a repository of Maven; and rehearsal-playground.jar, for debug builds
//	pack xcframework [FOLDER]   build/rehearsal-ios, a Swift package with Rehearsal.xcframework, the host and what Swift adds, for iOS;
//	                            beside it rehearsal-ios-symbols, and rehearsal-ios-release with what others download
//
// The work is gomobile's; pack looks for what gomobile needs and says in one line what is missing, passes the flags that ship, and
// puts right what gomobile leaves: the host and its rules go into the .aar, the page size of its libraries is checked; versions, the
// privacy manifest and the host go to the framework.
package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

const (
	bound       = "./mobile/actions"
	javaPackage = "io.github.rehearsalsdk"
	objcPrefix  = "RH"
	androidAPI  = 21
	iosVersion  = "13.0"
	// pageSize is what Google Play asks of 64-bit libraries. The NDK's linker may align to less.
	pageSize = 16384
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) == 1 {
		arguments = append(arguments, "")
	}
	if len(arguments) == 2 {
		switch out := arguments[1]; arguments[0] {
		case "aar":
			return packAAR(cmp.Or(out, "build/rehearsal.aar"))
		case "xcframework":
			return packXCFramework(cmp.Or(out, "build/rehearsal-ios"))
		}
	}
	return fmt.Errorf("say what to build: aar or xcframework")
}

// gomobile runs `gomobile bind`, which wants gobind to be on the path. It finds the one of this folder, which runs the real one.
func gomobile(arguments ...string) error {
	gobind, err := exec.Command("go", "tool", "-n", "gobind").Output()
	if err != nil {
		return fmt.Errorf("gobind cannot be built: %w", err)
	}
	path, err := os.MkdirTemp("", "rehearsal-gobind-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(path)
	if said, err := exec.Command("go", "build", "-o", path, "./mobile/pack/gobind").CombinedOutput(); err != nil {
		return fmt.Errorf("gobind of mobile/pack cannot be built: %w: %s", err, said)
	}
	command := exec.Command("go", append([]string{"tool", "gomobile", "bind"}, arguments...)...)
	command.Env = append(os.Environ(), "PATH="+path+string(os.PathListSeparator)+os.Getenv("PATH"),
		"GOBIND="+strings.TrimSpace(string(gobind)))
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("gomobile bind: %w", err)
	}
	return nil
}
