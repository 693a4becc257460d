package recording

import (
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
)

// What stands in a recording in the place of what is not the same in a replay.
const (
	// Key is the application or project key that the client named.
	Key = "{{key}}"
	// Origin is where the service was.
	Origin = "http://" + Host
	// Host was its host, where no scheme stands before it.
	Host = "recording.invalid"
	// FilePath begins the paths of files: FilePath + EXPORT/PART.
	FilePath = "/replay/"
)

// HeadFile is the file that makes a directory a recording.
const HeadFile = "recording.json"

// Version is that of the format.
const Version = 1

// Head is what HeadFile says.
type Head struct {
	Version int       `json:"version"`
	Began   time.Time `json:"began"`
	// Unfinished says why the recording must not be replayed yet.
	Unfinished string `json:"unfinished,omitempty"`
}

// Exchange is one request and its answer.
type Exchange struct {
	Number uint64    `json:"number"`
	Time   time.Time `json:"time"` // of the request
	// Took is after how many seconds the answer came; it decides the order of requests that overlapped.
	Took   float64 `json:"took_seconds,omitempty"`
	Method string  `json:"method"`
	Path   string  `json:"path"`
	Query  string  `json:"query,omitempty"`
	// Credentials names the headers with credentials that were sent.
	Credentials []string `json:"credentials,omitempty"`
	Request     *Body    `json:"request,omitempty"`
	Status      int      `json:"status"`
	// Headers are the headers of the answer that [Keeps] allows.
	Headers map[string]string `json:"headers,omitempty"`
	Answer  *Body             `json:"answer,omitempty"`
	Facts   Facts             `json:"facts"`

	members members // of the request
}

// kept are the headers of an answer that a recording keeps and a replay sends.
var kept = []string{"Accept-Ranges", "Allow", "Cache-Control", "Content-Disposition", "Content-Digest", "Content-Encoding",
	"Content-Language",
	"Content-Md5", "Content-Type", "Digest", "Etag", "Expires", "Last-Modified", "Location", "Repr-Digest", "Www-Authenticate"}

// Keeps reports whether a header of an answer is recorded and replayed. Others may carry a secret, or act in a browser. A
// dialect may have its own name for Retry-After. A link must be one that a client can follow without running anything.
func Keeps(name, value string) bool {
	if name == "Location" && !strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "http://") && !strings.HasPrefix(value, "https://") {
		return false
	}
	return slices.Contains(kept, name) || strings.HasSuffix(name, "Retry-After")
}

// answered is when the answer came.
func (x *Exchange) answered() time.Time {
	return x.Time.Add(time.Duration(x.Took * float64(time.Second)))
}

// Body is a body in a file of its own.
type Body struct {
	File string `json:"file"`
	// Digest is the SHA-256 of the content as it came, of downloaded files: a replay drops the entity tag of one that was edited.
	Digest string `json:"sha256,omitempty"`
}

// Facts are what the exchange was about, for the journal.
type Facts struct {
	// Stage is create, status, list, download or file; empty for a path that no schema file lists.
	Stage string `json:"stage"`
	Kind  string `json:"kind,omitempty"`
	// Export was created, looked up or downloaded; ExportStatus and Parts are what a lookup said.
	Export       string           `json:"export,omitempty"`
	ExportStatus string           `json:"export_status,omitempty"`
	Parts        int              `json:"parts,omitempty"`
	Listed       []journal.Listed `json:"listed,omitempty"`
	// Part is that of a download, from 1.
	Part       int              `json:"part,omitempty"`
	RetryAfter int              `json:"retry_after_seconds,omitempty"`
	Error      *journal.Refusal `json:"error,omitempty"`
}
