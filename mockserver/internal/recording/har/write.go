package har

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording"
)

// key stands where the key of the client was: a URL cannot say {{key}}.
const key = "key-removed-from-recording"

// Write writes a recording as a HAR file, one exchange after another, and returns how many there are.
func Write(into io.Writer, files fs.FS, version string) (written int, err error) {
	replay, err := recording.Open(files)
	if err != nil {
		return 0, err
	}
	creator, err := json.Marshal(map[string]string{"name": "mockserver", "version": version})
	if err != nil {
		return 0, err
	}
	if _, err := fmt.Fprintf(into, "{\"log\": {\n\"version\": %q,\n\"creator\": %s,\n\"pages\": [],\n\"entries\": [", Version, creator); err != nil {
		return 0, err
	}
	separator := "\n"
	for _, x := range replay.Exchanges() {
		made, err := entryOf(files, x)
		if err != nil {
			return written, fmt.Errorf("exchange %d: %w", x.Number, err)
		}
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(made); err != nil {
			return written, err
		}
		if _, err := fmt.Fprint(into, separator, strings.TrimSuffix(line.String(), "\n")); err != nil {
			return written, err
		}
		separator = ",\n"
		written++
	}
	_, err = fmt.Fprint(into, "\n]}}\n")
	return written, err
}

func entryOf(files fs.FS, x *recording.Exchange) (*entry, error) {
	named := strings.NewReplacer(recording.Key, key)
	address := recording.Origin + named.Replace(x.Path)
	if x.Query != "" {
		address += "?" + named.Replace(x.Query)
	}
	made := &entry{
		Started:  x.Time.UTC().Format(time.RFC3339Nano),
		Time:     x.Took * 1000,
		Timings:  timings{Wait: x.Took * 1000},
		Request:  request{message: unsized(), Method: x.Method, URL: address, Query: []pair{}},
		Response: response{message: unsized(), Status: x.Status, Reason: http.StatusText(x.Status), Redirect: named.Replace(x.Headers["Location"])},
	}
	if values, err := url.ParseQuery(named.Replace(x.Query)); err == nil {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			for _, value := range values[name] {
				made.Request.Query = append(made.Request.Query, pair{name, value})
			}
		}
	}
	for _, name := range x.Credentials {
		made.Request.Headers = append(made.Request.Headers, pair{name, removed})
	}
	for _, name := range slices.Sorted(maps.Keys(x.Headers)) {
		made.Response.Headers = append(made.Response.Headers, pair{name, named.Replace(x.Headers[name])})
	}
	if x.Request != nil {
		sent, err := fs.ReadFile(files, x.Request.File)
		if err != nil {
			return nil, err
		}
		body := named.Replace(string(sent))
		made.Request.Body = &text{Type: typeOf(x.Request.File), Text: &body}
		made.Request.BodySize = int64(len(body))
		made.Request.Headers = append(made.Request.Headers, pair{"Content-Type", made.Request.Body.Type})
	}
	content, err := received(files, x)
	if err != nil {
		return nil, err
	}
	if x.Facts.Stage != "file" {
		content = []byte(named.Replace(string(content)))
	}
	size := int64(len(content))
	made.Response.Content = text{Size: &size, Type: x.Headers["Content-Type"]}
	made.Response.BodySize = size
	if size > 0 {
		body, encoding := string(content), ""
		if !utf8.Valid(content) {
			body, encoding = base64.StdEncoding.EncodeToString(content), "base64"
		}
		made.Response.Content.Text, made.Response.Content.Encoding = &body, encoding
	}
	return made, nil
}

// received is the body of the answer, without the encoding that its headers name.
func received(files fs.FS, x *recording.Exchange) ([]byte, error) {
	if x.Answer == nil {
		return nil, nil
	}
	content, err := fs.ReadFile(files, x.Answer.File)
	if err != nil || x.Headers["Content-Encoding"] != "gzip" {
		return content, err
	}
	packed, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("%s: Content-Encoding is gzip: %w", x.Answer.File, err)
	}
	if content, err = io.ReadAll(packed); err != nil {
		return nil, fmt.Errorf("%s: Content-Encoding is gzip: %w", x.Answer.File, errors.Join(err, packed.Close()))
	}
	return content, nil
}

func unsized() message {
	return message{Protocol: "HTTP/1.1", Cookies: []struct{}{}, Headers: []pair{}, HeadersSize: -1}
}

func typeOf(file string) string {
	if strings.HasSuffix(file, ".json") {
		return "application/json"
	}
	return "text/plain"
}
