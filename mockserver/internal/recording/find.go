package recording

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
	"unicode"
)

// Request is what is compared: never the values of credentials.
type Request struct {
	Method, Path, Query string // as they were sent
	Credentials         []string
	Body                []byte
	// Key is the application or project key; empty for a link to a file. Clock is what the clock of a key shows, Real the time
	// of the machine.
	Key   string
	Clock func(key string) time.Time
	Real  time.Time
}

// clocks are the clocks by which a client may have reckoned dates.
func (r *Request) clocks() []time.Time { return []time.Time{r.Clock(r.Key), r.Real} }

// Found is a recorded exchange, for the client that asked.
type Found struct {
	Exchange *Exchange
	// Key is that of the client; of a link to a file, that of who created its export. Now is what its clock shows.
	Key string
	Now time.Time
	its *played
}

// played is what a key has seen.
type played struct {
	began    time.Time
	newest   map[string]*export // by the recorded identifier
	requests map[uint64]int     // creations, by the first exchange of their series
}

// export is one that was created here.
type export struct {
	id, recorded, key string
	created           time.Time
}

// Export is the identifier that an export of the recording has here.
func (f *Found) Export(recorded string) string {
	if here := f.its.newest[recorded]; here != nil {
		return here.id
	}
	return recorded
}

// Filled is a text of the exchange with what is not the same here: the key, the address, and identifiers.
func (f *Found) Filled(text, address string) string {
	pairs := []string{Key, f.Key, Origin, address, Host, address[strings.Index(address, "/")+2:]}
	recorded := []string{f.Exchange.Facts.Export}
	for _, each := range f.Exchange.Facts.Listed {
		recorded = append(recorded, each.Export)
	}
	for _, id := range recorded {
		if here := f.Export(id); here != id {
			pairs = append(pairs, id, here)
		}
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// read takes a request apart: the place of the recording, the members to compare, and the export that it is about.
func (r *Replay) read(request *Request) (place string, asked members, about *export) {
	path, query, about := r.recorded(request.Path, request.Query)
	if request.Key != "" {
		path = strings.Replace(path, "/"+request.Key+"/", "/"+Key+"/", 1)
	}
	place = placeOf(request.Method, path)
	if len(r.places[place]) == 0 && request.Method == "HEAD" {
		place = placeOf("GET", path)
	}
	if strings.HasPrefix(path, FilePath) { // a link needs none, and some clients send them all the same
		return place, members{}, about
	}
	return place, membersOf(query, request.Credentials, request.Body).without(r.moving.Ignore), about
}

// Find is the recorded answer to a request; nil for none.
func (r *Replay) Find(request *Request) *Found {
	found := &Found{Key: request.Key}
	place, asked, about := r.read(request)
	if about != nil && found.Key == "" {
		found.Key = about.key
	}
	if len(r.places[place]) == 0 {
		return nil
	}
	series := r.matching(place, asked, request.clocks())
	if len(series) == 0 {
		return nil
	}
	found.Now = request.Clock(found.Key) // which may wait for others
	r.mutex.Lock()
	defer r.mutex.Unlock()
	found.its = r.keys[found.Key]
	if found.its == nil {
		found.its = &played{began: found.Now, newest: map[string]*export{}, requests: map[uint64]int{}}
		r.keys[found.Key] = found.its
	}
	if name := series[0].Number; series[0].creates() {
		found.Exchange = series[min(found.its.requests[name], len(series)-1)]
		found.its.requests[name]++
		r.create(found)
	} else {
		found.Exchange = r.at(series, found.its, about, found.Now)
	}
	if about != nil { // it may not be the newest of its key
		found.its = &played{newest: map[string]*export{about.recorded: about}}
	}
	return found
}

// recorded is a path and a query with the recorded identifier of the export that they are about; nil for one that was not created here.
func (r *Replay) recorded(path, query string) (string, string, *export) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for part := range strings.FieldsFuncSeq(path+"?"+query, func(char rune) bool { return strings.ContainsRune("/?&=", char) }) {
		if about := r.exports[part]; about != nil {
			return strings.Replace(path, part, about.recorded, 1), strings.Replace(query, part, about.recorded, 1), about
		}
	}
	return path, query, nil
}

// create notes the export of a creation. The first one has the identifier of the recording, others have one like it.
func (r *Replay) create(found *Found) {
	recorded := found.Exchange.Facts.Export
	if recorded == "" {
		return
	}
	made := &export{id: recorded, recorded: recorded, key: found.Key, created: found.Now}
	for again := 1; r.exports[made.id] != nil; again++ {
		made.id = like(recorded, again)
	}
	r.exports[made.id], found.its.newest[recorded] = made, made
}

// like is another identifier of the same form: hexadecimal digits for letters and digits, behind a prefix such as export_.
func like(id string, again int) string {
	prefix, opaque, is := strings.Cut(id, "_")
	if prefix += "_"; !is {
		prefix, opaque = "", id
	}
	sum := sha256.Sum256(fmt.Append(nil, again, " ", id))
	digits, at := hex.EncodeToString(sum[:]), -1
	return prefix + strings.Map(func(char rune) rune {
		if at++; unicode.IsLetter(char) || unicode.IsDigit(char) {
			return rune(digits[at%len(digits)])
		}
		return char
	}, opaque)
}

// at is the answer of a moment: the last one that was given before it, or else the first.
func (r *Replay) at(series []*Exchange, its *played, about *export, now time.Time) *Exchange {
	found := series[0]
	for _, x := range series {
		then, base, here := r.began, its.began, its.newest[x.Facts.Export]
		if about != nil && about.recorded == x.Facts.Export {
			here = about
		}
		if here != nil {
			then, base = r.created[x.Facts.Export], here.created
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
	for id, each := range r.exports {
		if key == "" || each.key == key {
			delete(r.exports, id)
		}
	}
	if key == "" {
		clear(r.keys)
	}
	delete(r.keys, key)
}
