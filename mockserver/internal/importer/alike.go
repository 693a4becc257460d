package importer

import (
	"crypto/sha256"
	"encoding/json"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/extsort"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
)

// Alike tells how well people hide among others: people with the same kept values are a group.
type Alike struct {
	// By says which values are compared.
	By                       string
	People, Unique, Smallest int64
}

// compared are the values of each comparison: all of those before, and more.
var compared = [...]string{"values without dates", "values and dates", "values, dates and events"}

// alike compares people by what is kept of them.
type alike struct {
	person [len(compared)][]byte // of the person whose rows are written
	sorter *extsort.Sorter
}

// row adds a row of the person.
func (a *alike) row(kind string, row members) error {
	for by := range compared {
		if by < len(compared)-1 && kind == "events" {
			continue
		}
		kept := members{}
		for name, value := range row {
			if pseudonym.IsReplaced(name) || by == 0 && pseudonym.IsDate(name) {
				continue
			}
			plain, err := decode(value)
			if err != nil {
				return err
			}
			if kept[name], err = encode(walk(plain, hidden)); err != nil {
				return err
			}
		}
		text, err := json.Marshal(kept)
		if err != nil {
			return err
		}
		a.person[by] = append(append(a.person[by], kind...), text...)
	}
	return nil
}

// hidden hides pseudonyms: they compare with nothing outside.
func hidden(value any) any {
	if text, is := value.(string); is && pseudonym.IsMade(text) {
		return ""
	}
	return value
}

// end ends the person.
func (a *alike) end() error {
	for by, text := range a.person {
		sum := sha256.Sum256(text)
		if err := a.sorter.Add(append([]byte{byte(by)}, sum[:16]...)); err != nil {
			return err
		}
		a.person[by] = text[:0]
	}
	return nil
}

// groups returns a line for each comparison.
func (a *alike) groups() ([]Alike, error) {
	list := make([]Alike, len(compared))
	var last string
	size := int64(0)
	end := func() {
		if size == 0 {
			return
		}
		of := &list[last[0]]
		of.People += size
		if of.Smallest == 0 || size < of.Smallest {
			of.Smallest = size
		}
		if size == 1 {
			of.Unique++
		}
	}
	for by, name := range compared {
		list[by].By = name
	}
	err := a.sorter.Each(func(record []byte) error {
		if string(record) != last {
			end()
			last, size = string(record), 0
		}
		size++
		return nil
	})
	end()
	return list, err
}
