package scenarios

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Kept is a set as it is stored, with the text of each rule: to add the thousandth
// rule costs about what the first did, since the others are neither read nor written
// again. The zero value knows none.
type Kept struct {
	data  []byte
	set   Set
	texts [][]byte // of the rules
}

// Parse reads a set that is stored, as [Parse] does. Without any, as after a reset, it is
// the empty one: identifiers begin anew, and none of the texts is of the rules to come.
func (k *Kept) Parse(data []byte) (Set, error) {
	if data == nil {
		*k = Kept{}
		return Set{}, nil
	}
	if len(data) > 0 && bytes.Equal(data, k.data) {
		return k.set, nil
	}
	set, err := Parse(data)
	if err == nil {
		*k = Kept{data: bytes.Clone(data), set: set}
	}
	return set, err
}

// Append is the form of a set that Parse reads, and that json.Marshal gives. The set
// came from the one that was parsed or appended last. It must not be changed.
func (k *Kept) Append(set Set) ([]byte, error) {
	next := Kept{set: set, texts: make([][]byte, len(set.Rules)), data: make([]byte, 0, len(k.data)+1024)}
	next.data = strconv.AppendInt(append(next.data, `{"added":`...), set.Added, 10)
	next.data = append(next.data, `,"rules":`...)
	if set.Rules == nil {
		next.data = append(next.data, "null}"...)
		*k = next
		return next.data, nil
	}
	next.data = append(next.data, '[')
	before := 0 // of the rules before: those that are left are in their order
	for i := range set.Rules {
		rule := &set.Rules[i]
		for ; before < len(k.texts) && k.set.Rules[before].ID != rule.ID; before++ {
		}
		if before < len(k.texts) && k.set.Rules[before].Times == rule.Times { // nothing else of a rule ever changes
			next.texts[i] = k.texts[before]
		} else {
			text, err := json.Marshal(rule)
			if err != nil {
				return nil, err
			}
			next.texts[i] = text
		}
		if i > 0 {
			next.data = append(next.data, ',')
		}
		next.data = append(next.data, next.texts[i]...)
	}
	next.data = append(next.data, "]}"...)
	*k = next
	return next.data, nil
}
