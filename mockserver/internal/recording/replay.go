package recording

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// Replay finds the recorded answer to a request. It is safe for concurrent use.
//
// The n-th creation of an export with one payload gets the n-th recorded answer, further ones the last. An export that was created
// already, by whatever key, gets another identifier the next time, so that clients do not meet. Everything else is answered by time: what
// was answered a minute after an export was created is answered from a minute after its creation on, by the clock of the key, however
// often a client asks. Parts of a second do not count.
type Replay struct {
	files   fs.FS
	began   time.Time
	moving  Moving
	places  map[string][]*Exchange // by method and path, in the order of their answers
	created map[string]time.Time   // when exports were created, in the recording

	mutex   sync.Mutex
	keys    map[string]*played
	exports map[string]*export // by the identifier that they have here
	digests map[string]version // of files, by name
}

// Open reads a recording. Errors name the file.
func Open(files fs.FS, moving Moving) (*Replay, error) {
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
	if head.Unfinished != "" {
		return nil, fmt.Errorf("%s: the recording is unfinished: %s; replace it, and take the member unfinished out", HeadFile, head.Unfinished)
	}
	r := &Replay{files: files, began: head.Began, moving: moving, places: map[string][]*Exchange{}, created: map[string]time.Time{},
		keys: map[string]*played{}, exports: map[string]*export{}, digests: map[string]version{}}
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
		if x.Method == "" || x.Status < 200 || x.Status > 599 || !strings.HasPrefix(x.Path, "/") {
			return nil,
				fmt.Errorf("%s: method is %q, path %q, status %d; an exchange has a method, a path that begins with /, and a status from 200 to 599",
					name, x.Method, x.Path, x.Status)
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
	slices.SortStableFunc(exchanges, inOrder)
	for _, x := range exchanges {
		var sent []byte
		if x.Request != nil {
			if sent, err = fs.ReadFile(files, x.Request.File); err != nil {
				return nil, err
			}
		}
		x.members = membersOf(x.Query, x.Credentials, sent).without(moving.Ignore)
		if strings.HasPrefix(x.Path, FilePath) {
			x.members = members{}
		}
		place := placeOf(x.Method, x.Path)
		r.places[place] = append(r.places[place], x)
		if x.creates() {
			r.created[x.Facts.Export] = x.Time
		}
	}
	return r, nil
}

// inOrder is by when answers came: of two lookups at once, the later answer tells the later state.
func inOrder(a, b *Exchange) int {
	return cmp.Or(a.answered().Compare(b.answered()), a.Time.Compare(b.Time), cmp.Compare(a.Number, b.Number))
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

// Text is a body that is not a file, as the client that asked reads it from a server at an address.
func (r *Replay) Text(found *Found, address string) ([]byte, error) {
	if found.Exchange.Answer == nil {
		return nil, nil
	}
	text, err := fs.ReadFile(r.files, found.Exchange.Answer.File)
	return []byte(found.Filled(string(text), address)), err
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
