package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
)

// judgesKey marks the commands whose exit code says what they found in files:
// exitFailed is theirs for faults, and exitUnread for all that kept them from
// looking.
const judgesKey = "judges"

func judge(command *cobra.Command) { command.Annotations = map[string]string{judgesKey: "true"} }

// checkInput refuses what is no file that can be read from its beginning to its
// end. Opening a FIFO waits for a writer, and a device may have no end or act
// on being read.
func checkInput(name string) error {
	if name == "-" {
		return nil
	}
	information, err := os.Stat(name)
	switch {
	case err != nil:
		return err
	case information.IsDir():
		return misuse("%s is a directory; name the files in it", name)
	case !information.Mode().IsRegular():
		return fmt.Errorf("%s is %s, not a file; give - and pipe its content to standard input", name, kindOf(information.Mode()))
	}
	return nil
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

// input is the content of a file, or of standard input for "-". Reading it ends
// with the context.
func input(ctx context.Context, name string, t terminal) io.ReadCloser {
	if name != "-" {
		return &lazyFile{ctx: ctx, name: name}
	}
	reader, writer := io.Pipe()
	go func() {
		_, err := io.Copy(writer, t.in)
		writer.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { writer.CloseWithError(ctx.Err()) })
	return reader
}

// lazyFile opens a file when it is first read, and closes it at its end, so that many files can be checked.
type lazyFile struct {
	ctx  context.Context
	name string
	file *os.File
	done bool
}

func (l *lazyFile) Read(p []byte) (int, error) {
	if l.done {
		return 0, io.EOF
	}
	if err := l.ctx.Err(); err != nil {
		return 0, err
	}
	if l.file == nil {
		file, err := os.Open(l.name)
		if err != nil {
			return 0, err
		}
		l.file = file
	}
	n, err := l.file.Read(p)
	if err != nil {
		l.Close()
	}
	return n, err
}

func (l *lazyFile) Close() error {
	l.done = true
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
