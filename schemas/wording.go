package schemas

import (
	_ "embed"
	"encoding/json"
	"strings"
	"sync"
)

// The sentences of explanations are data.

//go:embed wording.json
var wordingFile []byte

var wording = sync.OnceValue(func() map[string]string {
	var sentences map[string]string
	if err := json.Unmarshal(wordingFile, &sentences); err != nil {
		panic(err) // the file is compiled in, and a test reads it
	}
	return sentences
})

// say fills a sentence of wording.json; parts are pairs of a placeholder and what stands for it.
func say(name string, parts ...string) string {
	pairs := make([]string, len(parts))
	for i, part := range parts {
		if i%2 == 0 {
			part = "{" + part + "}"
		}
		pairs[i] = part
	}
	return strings.NewReplacer(pairs...).Replace(wording()[name])
}
