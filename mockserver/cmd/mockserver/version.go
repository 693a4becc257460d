package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"
)

// release and commit are set by the linker where the build knows better than the
// repository that it was made from, or has none: -ldflags "-X main.release=v1.2.3".
var release, commit string

const versionHelp = `usage: mockserver version [flags]

Prints the version of the program, the commit that it was built from, and for which
system. A commit with a plus sign had changes that were not committed.
`

func versionCommand(t terminal) *cobra.Command {
	command := newCommand("version [flags]", "print the version of the program", versionHelp)
	command.RunE = func(*cobra.Command, []string) error {
		_, err := fmt.Fprintln(t.out, versionNow())
		return err
	}
	return command
}

// built says what the program was built from.
type built struct {
	version, commit string
	date            time.Time // of the commit; zero when it is not known
}

// versionNow is the version of the running program.
func versionNow() built {
	information, known := debug.ReadBuildInfo()
	if !known {
		information = &debug.BuildInfo{}
	}
	if commit != "" {
		information.Settings = append(information.Settings, debug.BuildSetting{Key: "vcs.revision", Value: commit})
	}
	return versionOf(information, release)
}

func versionOf(information *debug.BuildInfo, release string) built {
	b := built{version: release}
	if b.version == "" {
		b.version = information.Main.Version
	}
	if b.version == "" || b.version == "(devel)" {
		b.version = "unreleased"
	}
	changed := ""
	for _, setting := range information.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.commit = setting.Value
		case "vcs.time":
			b.date, _ = time.Parse(time.RFC3339, setting.Value) // zero where it is no time
		case "vcs.modified":
			if setting.Value == "true" {
				changed = "+"
			}
		}
	}
	if b.commit != "" {
		b.commit += changed
	}
	return b
}

func (b built) String() string {
	text := "mockserver " + b.version
	if b.commit != "" {
		text += "\ncommit     " + b.commit
		if !b.date.IsZero() {
			text += " of " + b.date.UTC().Format(time.DateOnly)
		}
	}
	return text + fmt.Sprintf("\nbuilt with %s for %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
