package exports

import (
	"archive/zip"
	"bufio"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"io"
	"strconv"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/dialect"
)

// Pack writes a part into a file of the container of an export; nil where it has none. Who unpacks all parts of an export in one place
// has files of different names.
func Pack(export schemas.Export, part int, modified time.Time, to io.Writer) (io.WriteCloser, error) {
	switch export.Speaks.Files.Container {
	case dialect.Gzip:
		return gzip.NewWriter(to), nil
	case dialect.Zip:
		archive, name := zip.NewWriter(to), export.Kind
		if part > 1 {
			name += "-" + strconv.Itoa(part)
		}
		entry, err := archive.CreateHeader(&zip.FileHeader{Name: name + "." + FormatOf(export), Method: zip.Deflate, Modified: modified.UTC()})
		return zipEntry{entry, archive}, err
	}
	return nil, nil
}

// zipEntry is the only file of an archive.
type zipEntry struct {
	io.Writer
	io.Closer
}

// Unpacked returns the content of a file of an export without its archive. Gzip and files without an archive stay as they are.
func Unpacked(export schemas.Export, from io.Reader) (io.Reader, error) {
	if export.Speaks.Files.Container != dialect.Zip {
		return from, nil
	}
	return Unzipped(from)
}

// Unzipped returns the content of an archive with one file, which is read as a stream: large ones fit. Other files stay as they are.
func Unzipped(from io.Reader) (io.Reader, error) {
	const headLength, lengthBehind = 30, 8
	content := bufio.NewReader(from)
	head, err := content.Peek(headLength)
	if err != nil || string(head[:4]) != "PK\x03\x04" {
		return content, nil // a reader of the format refuses another file
	}
	number := func(at int) int { return int(binary.LittleEndian.Uint16(head[at:])) }
	stored, length := number(6)&lengthBehind+number(8) == 0, binary.LittleEndian.Uint32(head[18:])
	if _, err = content.Discard(headLength + number(26) + number(28)); stored {
		return io.LimitReader(content, int64(length)), err
	}
	return flate.NewReader(content), err // which fails for other methods
}

// PackedFormatOf is what {format} stands for: that of the file and, in a container, of the container, such as csv.gz.
func PackedFormatOf(export schemas.Export) string {
	return FormatOf(export) + map[string]string{dialect.Gzip: ".gz", dialect.Zip: ".zip"}[export.Speaks.Files.Container]
}

// MediaTypeOf is that of the files of an export.
func MediaTypeOf(export schemas.Export) string {
	if media := export.Speaks.Files.MediaType; media != "" {
		return media
	}
	if container := export.Speaks.Files.Container; container != "" {
		return "application/" + container
	}
	return map[string]string{"csv": "text/csv", "ndjson": "application/x-ndjson", "json": "application/json"}[FormatOf(export)]
}
