package recording

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Replay finds the recorded answer to a request. It is safe for concurrent use.
//
// The n-th creation of an export with one payload gets the n-th recorded answer,
// further ones the last. Everything else is answered by time: what was answered
// a minute after an export was created is answered from a minute after its
// creation on, by the clock of the key, however often a client asks. Parts of a
// second do not count.
type Replay struct {
	files   fs.FS
	began   time.Time
	series  map[string][]*Exchange // in the order of time
	created map[string]time.Time   // when exports were created, in the recording

	mutex   sync.Mutex
	keys    map[string]*played
	digests map[string]version // of files, by name
}

// played is what a key has seen.
type played struct {
	began    time.Time
	created  map[string]time.Time
	requests map[string]int // creations, by series
}

// Open reads a recording. Errors name the file.
func Open(files fs.FS) (*Replay, error) {
	var head Head
	if err := readJSON(files, HeadFile, &head); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no %s: name a directory that proxy --record has written", HeadFile)
		}
		return nil, err
	}
	if head.Version != Version {
		return nil, fmt.Errorf("%s: version is %d; this program reads version %d", HeadFile, head.Version, Version)
	}
	r := &Replay{files: files, began: head.Began, series: map[string][]*Exchange{}, created: map[string]time.Time{}, keys: map[string]*played{}, digests: map[string]version{}}
	names, err := fs.Glob(files, "[0-9]*.json")
	if err != nil {
		return nil, err
	}
	var exchanges []*Exchange
	for _, name := range names {
		if strings.Count(name, ".") > 1 {
			continue // a body
		}
		x := &Exchange{}
		if err := readJSON(files, name, x); err != nil {
			return nil, err
		}
		if x.Method == "" || x.Status < 100 || x.Status > 999 || !strings.HasPrefix(x.Path, "/") {
			return nil, fmt.Errorf("%s: method is %q, path %q, status %d; an exchange has a method, a path that begins with /, and a status from 100 to 999", name, x.Method, x.Path, x.Status)
		}
		for _, body := range []*Body{x.Request, x.Answer} {
			if body == nil {
				continue
			}
			if _, err := fs.Stat(files, body.File); err != nil {
				return nil, fmt.Errorf("%s: its body: %w", name, err)
			}
		}
		exchanges = append(exchanges, x)
	}
	slices.SortStableFunc(exchanges, func(a, b *Exchange) int { return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Number, b.Number)) })
	for _, x := range exchanges {
		var sent []byte
		if x.Request != nil {
			if sent, err = fs.ReadFile(files, x.Request.File); err != nil {
				return nil, err
			}
		}
		name := seriesOf(x.Method, x.Path, x.Query, x.Credentials, sent)
		r.series[name] = append(r.series[name], x)
		if x.creates() {
			r.created[x.Facts.Export] = x.Time
		}
	}
	return r, nil
}

func (x *Exchange) creates() bool { return x.Facts.Stage == "create" }

func readJSON(files fs.FS, name string, into any) error {
	text, err := fs.ReadFile(files, name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// Began is when the recording began.
func (r *Replay) Began() time.Time { return r.began }

// Request is what is compared: never the values of credentials.
type Request struct {
	Method, Path, Query string // as they were sent
	Credentials         []string
	Body                []byte
	// Key is the application or project key, Now what its clock shows.
	Key string
	Now time.Time
}

// seriesOf names requests that are the same: the order of parameters and of the members of a payload does not count.
func seriesOf(method, sent, query string, credentials []string, body []byte) string {
	if strings.HasPrefix(sent, FilePath) {
		query, credentials = "", nil // a link needs none, and some clients send them all the same
	}
	if values, err := url.ParseQuery(query); err == nil {
		query = values.Encode()
	}
	if value, err := schemas.Decode(body); err == nil {
		body, _ = json.Marshal(value)
	}
	return strings.Join([]string{method, sent, query, strings.Join(credentials, " "), string(bytes.TrimSpace(body))}, "\x00")
}

// Find is the recorded answer to a request; nil for none.
func (r *Replay) Find(request *Request) *Exchange {
	sent := request.Path
	if request.Key != "" {
		sent = strings.Replace(sent, "/"+request.Key+"/", "/"+Key+"/", 1)
	}
	name := seriesOf(request.Method, sent, request.Query, request.Credentials, request.Body)
	series := r.series[name]
	if len(series) == 0 && request.Method == "HEAD" {
		series = r.series[seriesOf("GET", sent, request.Query, request.Credentials, request.Body)]
	}
	if len(series) == 0 {
		return nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	its := r.played(request, series[0])
	if series[0].Facts.Stage == "create" {
		x := series[min(its.requests[name], len(series)-1)]
		its.requests[name]++
		if x.creates() && x.Facts.Export != "" {
			its.created[x.Facts.Export] = request.Now
		}
		return x
	}
	return r.at(series, its, request.Now)
}

// played is what the key of a request has seen; links to files name no key, so the one counts that has created the export.
func (r *Replay) played(request *Request, about *Exchange) *played {
	if request.Key == "" {
		var newest *played
		for _, each := range r.keys {
			if at, is := each.created[about.Facts.Export]; is && (newest == nil || at.After(newest.created[about.Facts.Export])) {
				newest = each
			}
		}
		if newest != nil {
			return newest
		}
	}
	its := r.keys[request.Key]
	if its == nil {
		its = &played{began: request.Now, created: map[string]time.Time{}, requests: map[string]int{}}
		r.keys[request.Key] = its
	}
	return its
}

// at is the answer of a moment: the last one that was given before it, or else the first.
func (r *Replay) at(series []*Exchange, its *played, now time.Time) *Exchange {
	found := series[0]
	for _, x := range series {
		then, base := r.began, its.began
		if created, is := its.created[x.Facts.Export]; is && x.Facts.Export != "" {
			then, base = r.created[x.Facts.Export], created
		}
		if x.Time.Sub(then).Truncate(time.Second) > now.Sub(base) {
			break
		}
		found = x
	}
	return found
}

// Forget begins again for a key; empty for all of them.
func (r *Replay) Forget(key string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if key == "" {
		clear(r.keys)
	}
	delete(r.keys, key)
}

// Text is a body that is not a file, as a client with a key reads it from a server at an address.
func (r *Replay) Text(body *Body, key, address string) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	text, err := fs.ReadFile(r.files, body.File)
	return []byte(Filled(string(text), key, address)), err
}

// Filled is a text of a recording with the key of a client and the address of a server.
func Filled(text, key, address string) string {
	return strings.NewReplacer(Key, key, Origin, address).Replace(text)
}

// File opens a downloaded file, and tells whether it was edited since.
func (r *Replay) File(body *Body) (file fs.File, edited bool, err error) {
	name := path.Clean(body.File)
	if file, err = r.files.Open(name); err != nil {
		return nil, false, err
	}
	information, err := file.Stat()
	if err != nil {
		return nil, false, errors.Join(err, file.Close())
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	known := r.digests[name]
	if known.size != information.Size() || !known.modified.Equal(information.ModTime()) {
		content, err := r.files.Open(name)
		if err != nil {
			return nil, false, errors.Join(err, file.Close())
		}
		defer content.Close()
		digest := sha256.New()
		if _, err := io.Copy(digest, content); err != nil {
			return nil, false, errors.Join(err, file.Close())
		}
		known = version{information.Size(), information.ModTime(), hex.EncodeToString(digest.Sum(nil))}
		r.digests[name] = known
	}
	return file, known.digest != body.Digest, nil
}

// version is a file as it was read last.
type version struct {
	size     int64
	modified time.Time
	digest   string
}
