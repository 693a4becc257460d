package files

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// What is not a regular file is refused before it is opened: opening a FIFO waits for somebody at its other end, and a device may have no
// end or act on being opened. A pipe that is open already, such as /dev/stdin or the one that a shell makes of <(...), waits for nobody.
// See docs/decisions/server.md#which-files-that-are-no-files-are-read-and-written

// checkReadable refuses what cannot be read from its beginning to its end. A directory is left to the one who opens it.
func checkReadable(name, advice string) error {
	information, err := os.Stat(name)
	if err != nil {
		return err
	}
	mode := information.Mode()
	if mode.IsRegular() || mode.IsDir() || isOpened(name) && mode&fs.ModeNamedPipe != 0 {
		return nil
	}
	return fmt.Errorf("%s is %s, not a file; %s", name, kindOf(mode), advice)
}

// CheckOutput refuses, for a flag, what cannot be written like a file. What is not there can be made.
func CheckOutput(flag, name string) error {
	information, err := os.Stat(name)
	if err != nil || isOpened(name) || name == os.DevNull {
		return nil
	}
	if mode := information.Mode(); !mode.IsRegular() && !mode.IsDir() {
		return fmt.Errorf("%s: %s is %s, not a file; name a file, or what is open already, such as /dev/stdout", flag, name, kindOf(mode))
	}
	return nil
}

// isOpened tells whether a name is that of something which this process has open.
func isOpened(name string) bool {
	name = filepath.ToSlash(filepath.Clean(name))
	switch name {
	case "/dev/stdin", "/dev/stdout", "/dev/stderr":
		return true
	}
	for _, folder := range []string{"/dev/fd/", "/proc/self/fd/"} {
		if number, is := strings.CutPrefix(name, folder); is && number != "" && strings.Trim(number, "0123456789") == "" {
			return true
		}
	}
	return false
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "something else"
}
