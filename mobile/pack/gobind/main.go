// Command gobind runs gobind and mends one line of what it generates for Java.
//
// When Go asks an exception of Java's for its message, the generated C calls getMessage and goes on without looking whether that has
// thrown. The exception then stays pending on the thread, where the JVM gives it to whoever calls Java next, and a debuggable Android
// app ends at once. Here it is cleared, and the exception has no message.
//
//	gobind FLAG... PACKAGE...   as gobind; GOBIND names the real one, otherwise the module's tool is run
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	asks   = "	jstring res = (*env)->CallObjectMethod(env, o, mid_error_Error);\n"
	mended = asks + "	if ((*env)->ExceptionCheck(env)) {\n		(*env)->ExceptionClear(env);\n		res = NULL;\n	}\n"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gobind:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	name, before := os.Getenv("GOBIND"), []string(nil)
	if name == "" {
		name, before = "go", []string{"tool", "gobind"}
	}
	command := exec.Command(name, append(before, arguments...)...)
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	if err := command.Run(); err != nil {
		return err
	}
	for _, argument := range arguments {
		if out, found := strings.CutPrefix(strings.TrimLeft(argument, "-"), "outdir="); found {
			return mend(filepath.Join(out, "src", "gobind", "universe_android.c"))
		}
	}
	return nil
}

// mend changes the one place. There is no such file unless Java is generated.
func mend(name string) error {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && bytes.Count(text, []byte(asks)) != 1 {
		err = fmt.Errorf("%s does not ask for a message as it used to: see whether mobile/pack/gobind is still needed", name)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(name, bytes.Replace(text, []byte(asks), []byte(mended), 1), 0o644)
}
