// Command gobind runs gobind and changes two things of what it generates for Java.
//
// When Go asks an exception of Java's for its message, the generated C calls getMessage and goes on without looking whether that has
// thrown. The exception then stays pending on the thread, where the JVM gives it to whoever calls Java next, and a debuggable Android
// app ends at once. Here it is cleared, and the exception has no message.
//
// And objects that are made for each perform are given a method that closes them.
//
//	gobind FLAG... PACKAGE...   as gobind; GOBIND names the real one, otherwise the module's tool is run
package main

import (
	"errors"
	"fmt"
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
			return errors.Join(mend(filepath.Join(out, "src", "gobind", "universe_android.c"), change{exactly(asks), mended, 1}),
				mendJava(filepath.Join(out, "java")))
		}
	}
	return nil
}
