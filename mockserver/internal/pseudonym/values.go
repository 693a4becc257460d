package pseudonym

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
)

// ReservedDomain is the top-level domain of all pseudonyms of addresses and links: mail to
// it reaches nobody (RFC 2606).
const ReservedDomain = ".example"

// unassignedCode is a country code that no country has (ITU-T E.164).
const unassignedCode = "+999"

// mostDigits is how many digits an E.164 number has at most.
const mostDigits = 15

var (
	uuidShape = pattern.Of(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	hexShape  = pattern.Of(`^([0-9a-f]{16,}|[0-9A-F]{16,})$`)
	opaque    = pattern.Of(`^([a-z]+_)([0-9a-f]{16,})$`)
	dateShape = pattern.Of(`^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?$`)
)

// Identifier replaces an identifier. A UUID keeps its version and variant, a prefix such as
// profile_ before hexadecimal digits stays, and one of zeros alone, which stands for none, is kept.
func (k *Key) Identifier(value string) string {
	switch {
	case strings.Trim(value, "0-") == "":
		return value
	case uuidShape().MatchString(value):
		return k.permute(identifiers, value, func(place int, char rune) class {
			if place == 14 || place == 19 { // version and variant
				return nil
			}
			return hexClass(char, value)
		})
	case hexShape().MatchString(value):
		return k.permute(identifiers, value, func(_ int, char rune) class { return hexClass(char, value) })
	}
	if parts := opaque().FindStringSubmatch(value); parts != nil {
		return parts[1] + k.Identifier(parts[2])
	}
	return k.permute(identifiers, value, func(_ int, char rune) class { return classOf(char) })
}

// hexClass is the class of a hexadecimal digit, in the case that the text has.
func hexClass(char rune, text string) class {
	switch {
	case char == '-':
		return nil
	case strings.ToLower(text) == text:
		return hexLower
	case strings.ToUpper(text) == text:
		return hexUpper
	}
	return classOf(char) // mixed: letters stay letters
}

// EmailAddress replaces an address: its local part and its domain, which ends in [ReservedDomain].
func (k *Key) EmailAddress(value string) string {
	at := strings.LastIndexByte(value, '@')
	if at < 0 {
		return k.Text(value)
	}
	return k.permute(addresses, value, func(_ int, char rune) class { return classOf(char) }) + ReservedDomain
}

// PhoneNumber replaces a number by one that nobody has: +999 and as many digits as the number had, as
// far as there is room. Numbers of more than twelve digits may share one.
func (k *Key) PhoneNumber(value string) string {
	kept := strings.Map(func(char rune) rune {
		if char >= '0' && char <= '9' {
			return char
		}
		return -1
	}, value)
	if len(kept) < 4 {
		return k.Text(value)
	}
	made := k.permute(numbers, kept, func(int, rune) class { return digits })
	return unassignedCode + made[max(len(made)-(mostDigits+1-len(unassignedCode)), 0):]
}

// Link replaces all of a URL but its scheme: the host ends in [ReservedDomain].
func (k *Key) Link(value string) string {
	scheme, rest, found := strings.Cut(value, "://")
	if !found {
		return k.Text(value)
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	made := []rune(k.permute(links, rest, func(_ int, char rune) class { return classOf(char) }))
	length := utf8.RuneCountInString(rest[:end])
	host, port, _ := strings.Cut(string(made[:length]), ":")
	if port != "" {
		port = ":443"
	}
	return scheme + "://" + host + ReservedDomain + port + string(made[length:])
}

// Text replaces letters by letters of the same script and case, and digits by digits; blanks, marks and
// emoji stay. A date moves by up to half a year.
func (k *Key) Text(value string) string {
	if dateShape().MatchString(value) {
		return k.date(value)
	}
	return k.permute(texts, value, func(_ int, char rune) class { return classOf(char) })
}

// date moves a date by days: so many that the year may change, and the time of the day does not.
func (k *Key) date(value string) string {
	day, err := time.Parse(time.DateOnly, value[:len(time.DateOnly)])
	if err != nil || day.Year() < 1 || day.Year() > 9998 {
		return k.permute(texts, value, func(_ int, char rune) class { return classOf(char) })
	}
	m := k.mac(dates, uint32(len(value)))
	for _, char := range value {
		m.add(uint32(char))
	}
	var random [1]uint32
	m.numbers(random[:])
	days := int(random[0]%(2*mostDays)) - mostDays
	if days >= 0 {
		days++ // never none
	}
	return day.AddDate(0, 0, days).Format(time.DateOnly) + value[len(time.DateOnly):]
}

// mostDays is by how many days a date moves at most.
const mostDays = 182

// Number replaces the digits of a number of at least four of them before the point; shorter ones, such
// as ages and counts, say nothing alone and stay.
func (k *Key) Number(value string) string {
	whole, rest := value, ""
	if at := strings.IndexAny(value, ".eE"); at >= 0 {
		whole, rest = value[:at], value[at:]
	}
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	if len(whole) < leastDigits {
		return value
	}
	return sign + k.permute(texts, whole, func(place int, _ rune) class {
		if place == 0 {
			return firstDigits
		}
		return digits
	}) + rest
}

// leastDigits is from how many digits on a number may be somebody's.
const leastDigits = 4
