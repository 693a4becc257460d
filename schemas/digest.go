package schemas

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"io"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// digestExports sums up, per interface, what the files of its exports are made from. One export draws on
// another (the attributes of a profile tell of its latest events), so they share a digest.
func (l *Library) digestExports() {
	files := map[string]map[string][]byte{}
	for _, export := range l.exports {
		into := files[export.Interface]
		if into == nil {
			into = map[string][]byte{}
			files[export.Interface] = into
		}
		for _, name := range []string{export.Request, export.Output} {
			l.gather(l.Schema(name), into, map[*jsonschema.Schema]bool{})
		}
		if otherwise := export.Speaks.Otherwise(export.Format); otherwise != "" {
			into[export.Output+"#/x-interface"] = []byte(otherwise)
		}
	}
	for i := range l.exports {
		l.exports[i].Digest = fingerprint(files[l.exports[i].Interface])
	}
}

// gather adds the files of a schema and of everything below it.
func (l *Library) gather(s *jsonschema.Schema, into map[string][]byte, seen map[*jsonschema.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	file, _ := fileAndPointer(s.Location)
	if into[file] == nil {
		into[file] = l.sources[file]
	}
	for each := range below(s) {
		l.gather(each, into, seen)
	}
}

// fingerprint sums up names and contents, each with its length before it.
func fingerprint(sources map[string][]byte) string {
	sum := sha256.New()
	writeFiles(sum, sources)
	return hex.EncodeToString(sum.Sum(nil))
}

// checksum tells files that somebody has edited from those that they were, at every start of a program: it takes a tenth
// of the time of a digest, which nobody can forge.
func checksum(sources map[string][]byte) uint32 {
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	writeFiles(sum, sources)
	return sum.Sum32()
}

func writeFiles(sum io.Writer, sources map[string][]byte) {
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		for _, part := range [][]byte{[]byte(name), sources[name]} {
			_, _ = sum.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part)))) // a hash takes everything
			_, _ = sum.Write(part)
		}
	}
}
