package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

// ReadBounded reads the text in the file of a flag, which may be a pipe that is open.
func ReadBounded(flag, name string, limit int64) ([]byte, error) {
	if err := checkReadable(name, "name a file, or a pipe that is open already, such as /dev/stdin"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s %s: the file has more than %d bytes", flag, name, limit)
	}
	text, err := filetype.Text(data, int(limit))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", flag, name, err)
	}
	return text, nil
}
