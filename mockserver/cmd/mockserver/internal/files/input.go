package files

import (
	"context"
	"io"
	"os"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

// CheckInput refuses what is no file that can be read from its beginning to its end.
func CheckInput(name string) error {
	if name == "-" {
		return nil
	}
	if err := checkReadable(name, "give - and pipe its content to standard input"); err != nil {
		return err
	}
	if information, err := os.Stat(name); err == nil && information.IsDir() {
		return usage.Errorf("%s is a directory; name the files in it", name)
	}
	return nil
}

// Input is the content of a file, or that of standard for "-". Reading it ends with the context.
func Input(ctx context.Context, name string, standard io.Reader) io.ReadCloser {
	if name != "-" && !isOpened(name) {
		return &lazyFile{ctx: ctx, name: name}
	}
	reader, writer := io.Pipe()
	go func() {
		if name != "-" {
			opened, err := os.Open(name)
			if err != nil {
				writer.CloseWithError(err)
				return
			}
			defer opened.Close()
			standard = opened
		}
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
