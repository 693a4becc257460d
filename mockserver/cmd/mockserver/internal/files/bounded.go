package files

import (
	"fmt"
	"io"
	"os"
)

// ReadBounded reads the file of a flag, which may be a pipe.
func ReadBounded(flag, name string, limit int64) ([]byte, error) {
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
	return data, nil
}
