package answers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/encode"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// form is a way to write a value as JSON; nil where it is none for the value.
type form func(value any) any

// scalar compiles a text, number, flag, date or document: in the first form that the schema accepts.
func (c *compiler) scalar(allowed merged.Schema, keywords schemas.Keywords, given []any) (value, error) {
	fits := func(as form) bool {
		return !slices.ContainsFunc(given, func(value any) bool { return !allowed.Accepts(decoded(as(value))) })
	}
	forms := formsOf(given[0], keywords)
	at := slices.IndexFunc(forms, fits)
	if at < 0 {
		refused := slices.IndexFunc(given, func(value any) bool { return !allowed.Accepts(decoded(forms[0](value))) })
		return nil, fmt.Errorf("x-source %q gives %s, which the schema does not allow: allow it, or rename it with x-wire-names", keywords.Source,
			shown(encode.JSON(forms[0](given[refused]))))
	}
	as := forms[at]
	return func(dst []byte, known Values) ([]byte, bool) {
		switch value := known[keywords.Source]; value := value.(type) {
		case nil:
			return dst, false
		default:
			return appended(dst, as(value)), true
		}
	}, nil
}

// LongMessage is a sentence of 400 characters, which messages may well have.
func LongMessage() string { return strings.Repeat("message, ", 44) + "full" }

// shown returns a value for a fault: of a long one the beginning and the length.
func shown(text []byte) string {
	const most = 100
	if len(text) <= most {
		return string(text)
	}
	return fmt.Sprintf("%s... (%d bytes)", strings.ToValidUTF8(string(text[:most]), ""), len(text))
}

// formsOf are the forms of values of one type, the likeliest first.
func formsOf(example any, keywords schemas.Keywords) []form {
	asText := func(value any) any { return fmt.Sprint(value) }
	switch example.(type) {
	case time.Time:
		var forms []form
		for _, as := range encode.DateForms(keywords.DateFormat) {
			forms = append(forms, func(value any) any { return as(value.(time.Time)) })
		}
		return forms
	case json.RawMessage:
		return []form{func(value any) any { return value }, func(value any) any { return string(value.(json.RawMessage)) }}
	case bool:
		var forms []form
		for _, pair := range encode.FlagForms() {
			forms = append(forms, func(value any) any {
				if value.(bool) {
					return pair[1]
				}
				return pair[0]
			})
		}
		return forms
	case int64:
		return []form{func(value any) any { return json.Number(fmt.Sprint(value)) }, asText}
	}
	return []form{func(value any) any { return asked.WireName(keywords, value.(string)) }}
}

// decoded is a value as schemas check it.
func decoded(value any) any {
	if document, is := value.(json.RawMessage); is {
		value, _ = schemas.Decode(document)
	}
	return value
}

// appended adds a value as JSON.
func appended(dst []byte, value any) []byte {
	switch value := value.(type) {
	case string:
		return encode.Format{}.AppendText(dst, value)
	case json.Number:
		return append(dst, value...)
	case json.RawMessage:
		return append(dst, value...)
	case bool:
		return strconv.AppendBool(dst, value)
	}
	return append(dst, encode.JSON(value)...)
}
