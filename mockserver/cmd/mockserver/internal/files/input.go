package files

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

// CheckInput refuses what is no file that can be read from its beginning to its
// end. Opening a FIFO waits for a writer, and a device may have no end or act
// on being read.
func CheckInput(name string) error {
	if name == "-" {
		return nil
	}
	information, err := os.Stat(name)
	switch {
	case err != nil:
		return err
	case information.IsDir():
		return usage.Errorf("%s is a directory; name the files in it", name)
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

// Input is the content of a file, or that of standard for "-". Reading it ends
// with the context.
func Input(ctx context.Context, name string, standard io.Reader) io.ReadCloser {
	if name != "-" {
		return &lazyFile{ctx: ctx, name: name}
	}
	reader, writer := io.Pipe()
	go func() {
		_, err := io.Copy(writer, standard)
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
