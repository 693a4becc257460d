package files

import (
	"fmt"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

// PerFile collects flags of the form FILE=VALUE. Both may hold further equals signs.
type PerFile struct {
	given []string
	// Values are those by file, once the files are known.
	Values map[string]string
}

// Add keeps a flag until the files are known.
func (p *PerFile) Add(text string) error {
	if at := strings.IndexByte(text, '='); at <= 0 || at == len(text)-1 {
		return fmt.Errorf("%q is not of the form FILE=VALUE", text)
	}
	p.given = append(p.given, text)
	return nil
}

// Resolve finds the file of every flag; the longest name wins.
func (p *PerFile) Resolve(name string, files []string) error {
	p.Values = map[string]string{}
	for _, text := range p.given {
		found := ""
		for _, file := range files {
			if strings.HasPrefix(text, file+"=") && len(file) > len(found) {
				found = file
			}
		}
		if found == "" {
			file, _, _ := strings.Cut(text, "=")
			return usage.Errorf("%s speaks of %s, which is not among the files", name, file)
		}
		p.Values[found] = text[len(found)+1:]
	}
	return nil
}
