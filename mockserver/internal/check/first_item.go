package check

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// firstItem returns the member names of the first item of an array.
func firstItem(text []byte) (members []string, empty bool) {
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	if decoder.PeekKind() == '[' {
		if _, err := decoder.ReadToken(); err != nil {
			return nil, false
		}
		if decoder.PeekKind() == ']' {
			return nil, true
		}
	}
	if token, err := decoder.ReadToken(); err != nil || token.Kind() != '{' {
		return nil, false
	}
	// One level down is read too: members of members differ more between exports.
	_ = eachMember(decoder, func(name string) error {
		members = append(members, name)
		if decoder.PeekKind() != '{' {
			return decoder.SkipValue()
		}
		if _, err := decoder.ReadToken(); err != nil {
			return err
		}
		err := eachMember(decoder, func(inner string) error {
			members = append(members, name+"/"+inner)
			return decoder.SkipValue()
		})
		if err == nil {
			_, err = decoder.ReadToken()
		}
		return err
	}) // the text may end anywhere; what was found before counts
	return members, false
}

// eachMember calls visit with the name of each member of the object that was just entered. Visit reads the value.
func eachMember(decoder *jsontext.Decoder, visit func(name string) error) error {
	for decoder.PeekKind() == '"' {
		token, err := decoder.ReadToken()
		if err != nil {
			return err
		}
		if err := visit(token.String()); err != nil {
			return err
		}
	}
	return nil
}
