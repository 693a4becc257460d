package rows

import (
	"encoding/json"
	"strings"
)

// format says how values become text.
type format struct {
	csv       bool
	separator string
}

// text is a string as the format writes it.
func (f format) text(value string) []byte {
	if !f.csv {
		return jsonText(value)
	}
	if value != "" && !strings.ContainsAny(value, f.separator+"\"\r\n") && value[0] != ' ' {
		return []byte(value)
	}
	if value == "" {
		return nil
	}
	return []byte(`"` + strings.ReplaceAll(value, `"`, `""`) + `"`)
}

// value is any JSON value as the format writes it; only strings stand in CSV.
func (f format) value(value any) []byte {
	if text, is := value.(string); is {
		return f.text(text)
	}
	return jsonText(value)
}

func jsonText(value any) []byte {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		// Values come out of JSON documents, so they go back into one.
		return []byte("null")
	}
	return []byte(strings.TrimSuffix(out.String(), "\n"))
}

// appendDateTime writes seconds since 1970 as YYYY-MM-DDTHH:mm:ss, for the
// years 0 to 9999.
func appendDateTime(dst []byte, seconds int64) []byte {
	days, rest := seconds/86_400, seconds%86_400
	if rest < 0 {
		days, rest = days-1, rest+86_400
	}
	// Days to a date of the Gregorian calendar, in eras of 400 years that begin
	// in March, so that the leap day comes last.
	days += 719_468
	era := days / 146_097
	inEra := days % 146_097
	year := (inEra - inEra/1460 + inEra/36_524 - inEra/146_096) / 365
	inYear := inEra - (365*year + year/4 - year/100)
	shifted := (5*inYear + 2) / 153
	date := inYear - (153*shifted+2)/5 + 1
	month := shifted + 3
	if month > 12 {
		month -= 12
	}
	year += era * 400
	if month <= 2 {
		year++
	}
	two := func(n int64) (byte, byte) { return '0' + byte(n/10), '0' + byte(n%10) }
	c1, c2 := two(year / 100)
	y1, y2 := two(year % 100)
	m1, m2 := two(month)
	d1, d2 := two(date)
	h1, h2 := two(rest / 3600)
	n1, n2 := two(rest / 60 % 60)
	s1, s2 := two(rest % 60)
	return append(dst, c1, c2, y1, y2, '-', m1, m2, '-', d1, d2, 'T', h1, h2, ':', n1, n2, ':', s1, s2)
}
