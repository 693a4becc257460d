package texture

import (
	"bytes"
	"slices"
	"strings"
)

// shape is one way in which a text can be awkward.
type shape uint8

const (
	asItIs        shape = iota
	quoted              // must be quoted in CSV or escaped in JSON: separators, quotes, line breaks
	several             // all of that at once, and letters beyond ASCII
	lookAlike           // another one's, but for what nobody sees
	accented            // letters that are one character or two
	latin               // letters of Latin script beyond ASCII
	particle            // apostrophes, hyphens
	script              // other scripts
	marks               // decomposed letters, combining marks
	blanks              // blanks at the ends, several of them, one that does not break
	long                // some hundred characters
	emoji               // beyond the 16 bits of UTF-16, joined ones among them
	odd                 // line ends that only Unicode knows, characters without width
	bidi                // marks that turn the direction of writing
	returns             // carriage returns
	formula             // what a spreadsheet takes for a formula
	capitals            // all in upper case
	zeros               // digits alone, with zeros before them
	literal             // a word that stands for nothing
	empty               // nothing
	longest             // thousands of characters
	enormous            // more characters than some readers take in one cell
	plus                // of an address: a tag
	quoteMark           // of an address: an apostrophe
	longLocal           // of an address: as long as the part before the @ may be
	international       // of an address: a domain of one's own with letters beyond ASCII, or a tag
	query               // of a link
	zeroed              // of a device: the identifier that says there is none
	edge                // of a number: the first or the last
)

// before are what stands before a text, by shape; which one is drawn.
var before = [longest][]string{
	quoted:   {"Dupont; Paris ", `the "real" `, "first line\nsecond line ", ";\n", `"quoted" `, "a,b;c ", "tab\t\n", `back\slash" `},
	several:  {"Zoë; Paris\n", "the \"réal\"\n; ", ";\nŁódź ", "\"Müller\";\nsecond line ", "a,b;ç\n", "tab\t;\né ", "back\\slash\" ;\nñ ", "first;\nsøcond \"line\" "},
	latin:    {"Zoë ", "François ", "Müller ", "Łukasz ", "Søren ", "Núñez ", "İpek ", "Straße "},
	accented: {"Zoë ", "François ", "Müller ", "Núñez "},
	particle: {"O'Brien ", "d'Arc ", "van-der-Berg ", "Smith-Jones ", "N'Diaye ", "l’été "},
	script:   {"Анна ", "Νίκος ", "יעל ", "ليلى ", "美咲 ", "नेहा ", "한결 ", "สมชาย "},
	marks:    {"Zoe\u0308 ", "Franc\u0327ois ", "Mu\u0308ller ", "e\u0301\u0302\u0323 "},
	blanks:   {" ", "  ", "\u00a0", "a  b "},
	emoji:    {"🎉 ", "👩‍👩‍👧‍👦 ", "🇫🇷 ", "👍🏽 ", "❤️ ", "𝒵 "},
	odd:      {"a\u2028b ", "a\u0085b ", "zero\u200bwidth ", "mark\ufeff ", "a\vb "},
	bidi:     {"\u202eright\u202c ", "\u200fשלום ", "\u2067عربي\u2069 "},
	returns:  {"first\r\nsecond ", "a\rb "},
	formula:  {"=1+1 ", "+", "-", "@"},
}

// nothings are words that stand for nothing, to some readers.
var nothings = []string{"null", "NA", "N/A", "undefined", "None", "nan", "-", "0"}

const (
	longText  = "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore et dolore magna aliqua. "
	longQuery = "?utm_source=newsletter&utm_medium=email&ids=1;2;3&name=Zo%C3%AB%20%22Z%22&redirect=https%3A%2F%2Fwww.example.com%2F%3Fa%3Db%26c"
)

// enormousTimes make about 70,000 and 140,000 characters: more than a line of Go's
// bufio.Scanner (65,536), and more than a cell of Python's csv (131,072).
var enormousTimes = [...]int{565, 1_130}

// write changes the text at the end of dst.
func (s shape) write(dst []byte, begin int, random uint64) []byte {
	if s < longest && before[s] != nil {
		return insert(dst, begin, before[s][random%uint64(len(before[s]))])
	}
	switch s {
	case long, longest, enormous:
		times := 2 + int(random%3)
		switch s {
		case longest:
			times *= 25
		case enormous:
			times = enormousTimes[random%uint64(len(enormousTimes))]
		}
		dst = slices.Grow(dst, times*len(longText)) // once: a text is moved with each that is put before it
		text := len(dst) - begin
		dst = dst[:len(dst)+times*len(longText)]
		copy(dst[begin+times*len(longText):], dst[begin:begin+text])
		for nth := range times {
			copy(dst[begin+nth*len(longText):], longText)
		}
	case capitals:
		upper(dst[begin:])
	case zeros:
		return decimal(dst, begin)
	case literal:
		return append(dst[:begin], nothings[random%uint64(len(nothings))]...)
	case empty:
		return dst[:begin]
	case query:
		dst = append(dst, longQuery[:len(longQuery)-int(random%3)*20]...)
	case zeroed:
		for i, char := range dst[begin:] {
			if char != '-' {
				dst[begin+i] = '0'
			}
		}
	case plus, quoteMark, longLocal, international:
		return address(s, dst, begin, random)
	}
	return dst
}

// upper turns ASCII letters into capitals.
func upper(text []byte) {
	for i, char := range text {
		if char >= 'a' && char <= 'z' {
			text[i] = char - 'a' + 'A'
		}
	}
}

// mostLocal is how long the part of an address before the @ may be (RFC 5321).
const mostLocal = 64

// internationals are domains with letters beyond ASCII, in the form that e-mail addresses and JSON Schema's "email" have them (A-labels
// of IDNA), under the name that is reserved for examples: bücher, müller, françois, núñez, łukasz, søren, пример, 例え.
var internationals = [...]string{
	"xn--bcher-kva.example", "xn--mller-kva.example", "xn--franois-xxa.example", "xn--nez-7ma8b.example",
	"xn--ukasz-j7a.example", "xn--sren-gra.example", "xn--e1afmkfd.example", "xn--r8jz45g.example",
}

// address changes the part of an e-mail address before the @, so that different
// addresses stay different; or a domain of one's own, but not that of a provider, which can be told by it.
func address(s shape, dst []byte, begin int, random uint64) []byte {
	at := begin + bytes.IndexByte(dst[begin:], '@')
	if at < begin {
		return dst
	}
	if s == international {
		name, _, _ := bytes.Cut(dst[at+1:], []byte("."))
		one, rest, _ := bytes.Cut(dst[begin:at], []byte("."))
		other, _, _ := bytes.Cut(rest, []byte("."))
		if bytes.Equal(name, one) || bytes.Equal(name, other) {
			return append(dst[:at+1], internationals[random%uint64(len(internationals))]...)
		}
		s = plus
	}
	switch s {
	case plus:
		tags := []string{"+news", "+shop-2024", "+a.b", "+"}
		return insert(dst, at, tags[random%uint64(len(tags))])
	case quoteMark:
		return insert(dst, begin, "o'")
	}
	if room := mostLocal - (at - begin) - len("."); room > 0 {
		return insert(dst, at, "."+strings.Repeat("x", room))
	}
	return dst
}

// insert puts a text into another.
func insert(dst []byte, at int, text string) []byte {
	dst = append(dst, text...)
	copy(dst[at+len(text):], dst[at:])
	copy(dst[at:], text)
	return dst
}
