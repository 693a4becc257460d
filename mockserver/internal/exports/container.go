package exports

import (
	"archive/zip"
	"compress/gzip"
	"io"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/dialect"
)

// Pack writes into a file of the container of an export; nil where it has none.
func Pack(export schemas.Export, modified time.Time, to io.Writer) (io.WriteCloser, error) {
	switch export.Speaks.Files.Container {
	case dialect.Gzip:
		return gzip.NewWriter(to), nil
	case dialect.Zip:
		archive := zip.NewWriter(to)
		entry, err := archive.CreateHeader(&zip.FileHeader{Name: export.Kind + "." + FormatOf(export), Method: zip.Deflate,
			Modified: modified.UTC()})
		return zipEntry{entry, archive}, err
	}
	return nil, nil
}

// zipEntry is the only file of an archive.
type zipEntry struct {
	io.Writer
	io.Closer
}

// PackedFormatOf is what {format} stands for: that of the file and, in a container,
// of the container, such as csv.gz.
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
