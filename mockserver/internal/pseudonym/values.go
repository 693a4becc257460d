package pseudonym

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/language"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/regions"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// What all pseudonyms of addresses, links and numbers have: names that are reserved for examples (RFC 2606), and a country
// code that no country has (ITU-T E.164).
const (
	mailbox    = "@mail.example"
	site       = "https://link.example/"
	unassigned = "+999"
)

var (
	uuidShape     = pattern.Of(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)
	dateShape     = pattern.Of(`^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?Z?)?$`)
	languageShape = pattern.Of(`^[a-z]{2,3}([-_][A-Z][a-z]{3})?([-_]([A-Z]{2}|\d{3}))?$`)
	bounceShape   = pattern.Of(`^(\d{3}( \d\.\d{1,3}\.\d{1,3})?|\d\.\d{1,3}\.\d{1,3})(?:$|[^\d.])`)
	numberShape   = pattern.Of(`^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$`)
	phoneShape    = pattern.Of(`^\+?[\d ()/.-]{7,}$`)
	digitsShape   = pattern.Of(`\d{5}|(\d[^\pL]?){7}`)
	madeShape     = pattern.Of(`^[a-z]+-[a-z]+-[0-9a-f]{8}$`)
)

// replacing are the members of rows of a dataset (schemas/data) that are always replaced, by a form of their own.
var replacing = map[string]func(*Key, string) string{
	"profile_id": identifier("profile_"), "orchestration_id": identifier("orchestration_"),
	"custom_id": identifier(""), "install_id": identifier(""), "advertising_id": identifier(""), "event_id": identifier(""),
	"sent_id": identifier(""), "step_id": identifier(""), "transactional_token": identifier(""), "api_key": identifier(""),
	"email_address": (*Key).address, "phone_number": (*Key).phone, "click_url": (*Key).link,
}

// closed are the kinds of values that are kept: each function returns the part of a value that it knows.
var closed = map[string]struct {
	why  string
	part func(string) string
}{
	"region": {"region of ISO 3166", region}, "phone_country": {"region of ISO 3166", region},
	"language": {"language of ISO 639", spoken}, "message_language": {"language of ISO 639", spoken},
	"timezone":    {"time zone", zone},
	"bounce_code": {"code of a bounce", bounce},
}

// named are the members that name something: a value that looks like a number or a date becomes a name as well, so that two
// values hardly ever become one.
var named = map[string]bool{
	"campaign": true, "group": true, "orchestration_name": true, "step_name": true, "click_url_name": true, "names of attributes": true,
}

// dates are the members that are instants of the service.
var dates = map[string]bool{
	"date": true, "creation_date": true, "last_visit_date": true, "last_activity": true, "last_email_marketing_open": true,
	"last_email_marketing_click": true, "last_email_transactional_open": true, "last_email_transactional_click": true,
	"install_date": true, "last_start_date": true,
}

// Empty is why an empty text is kept.
const Empty = "empty"

// IsDate reports whether a member is an instant, which is kept.
func IsDate(member string) bool { return dates[member] }

// IsOptional reports whether a member is of a closed kind and may be left out where few people share its value.
func IsOptional(member string) bool { return closed[member].part != nil && member != "bounce_code" }

// IsReplaced reports whether a member is an identifier, an address or the like: no value of it is ever kept.
func IsReplaced(member string) bool { return replacing[member] != nil }

// IsMade reports whether a text is a pseudonym.
func IsMade(text string) bool {
	return madeShape().MatchString(text) || strings.HasSuffix(text, mailbox) ||
		strings.HasPrefix(text, unassigned) || strings.HasPrefix(text, site)
}

// Text returns the pseudonym of a text of a member, which may be one that no dataset has. Of a text of a closed kind it returns
// the known part, and why that is kept.
func (k *Key) Text(member, value string) (made, why string) {
	if value == "" {
		return "", Empty
	}
	if replace := replacing[member]; replace != nil {
		return replace(k, value), ""
	}
	if value == "true" || value == "false" {
		return value, "yes or no"
	}
	if dates[member] && day(value) != "" {
		return value, "date"
	}
	if kind, is := closed[member]; is {
		if part := kind.part(value); part != "" {
			return part, kind.why
		}
	}
	switch {
	case named[member]:
	case day(value) != "":
		return year(value), "year"
	case numberShape().MatchString(value):
		return Number(value), "two digits of a number"
	case strings.ContainsRune(value, '@') && !strings.ContainsRune(value, ' '):
		return k.address(value), ""
	case phoneShape().MatchString(value):
		return k.phone(value), ""
	case strings.HasPrefix(value, "https://"), strings.HasPrefix(value, "http://"):
		return k.link(value), ""
	}
	return k.name("text", value, "-"), ""
}

// longest is how many characters a text has at most that people may share.
const longest = 64

// Shareable reports whether a text may be kept if enough people share it: it has no address, no number of somebody, and is no essay.
func Shareable(member, value string) bool {
	return value != "" && replacing[member] == nil && utf8.RuneCountInString(value) <= longest && !strings.ContainsAny(value, "@") &&
		!strings.Contains(value, "://") && !digitsShape().MatchString(value)
}

// Number returns a number with its first two significant digits.
func Number(value string) string {
	number, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return "0"
	}
	if number, err = strconv.ParseFloat(strconv.FormatFloat(number, 'e', 1, 64), 64); err != nil {
		return "0"
	}
	if made := strconv.FormatFloat(number, 'f', -1, 64); len(made) < 24 {
		return made
	}
	return strconv.FormatFloat(number, 'e', -1, 64)
}

// identifier makes identifiers behind a prefix that the schemas ask for. A UUID becomes another one. One of zeros alone
// stands for none, and is kept.
func identifier(prefix string) func(*Key, string) string {
	return func(k *Key, value string) string {
		if strings.Trim(value, "0-") == "" {
			return value
		}
		sum := k.sum("identifier", value)
		if uuidShape().MatchString(value) {
			sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80
			return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
		}
		return prefix + hex.EncodeToString(sum[:16])
	}
}

// name makes a name of the people of the world, with a number that no two of them have in common.
func (k *Key) name(kind, value, between string) string {
	sum := k.sum(kind, value)
	given, family := world.NameOf(binary.BigEndian.Uint64(sum[:]))
	return given + between + family + between + hex.EncodeToString(sum[8:12])
}

func (k *Key) address(value string) string { return k.name("address", value, ".") + mailbox }

// phone makes a number of as many digits as there are at most. Two of many millions may be the same.
func (k *Key) phone(value string) string {
	sum := k.sum("telephone number", value)
	return fmt.Sprintf("%s%012d", unassigned, binary.BigEndian.Uint64(sum[:])%1e12)
}

func (k *Key) link(value string) string {
	sum := k.sum("link", value)
	return site + hex.EncodeToString(sum[:8])
}

// day returns the day of a date; "" for other texts.
func day(value string) string {
	if !dateShape().MatchString(value) {
		return ""
	}
	of := value[:len(time.DateOnly)]
	if _, err := time.Parse(time.DateOnly, of); err != nil {
		return ""
	}
	return of
}

// year returns the begin of the year of a date, in the form of the date.
func year(value string) string {
	const years = len("2006-")
	return value[:years] + "01-01" + zeros(value[len(time.DateOnly):])
}

func zeros(text string) string {
	return strings.Map(func(char rune) rune {
		if char >= '0' && char <= '9' {
			return '0'
		}
		return char
	}, text)
}

// Coarse returns a date without its day and time, or, if the hour is to stay, without minutes and seconds.
func Coarse(date string, hour bool) string {
	month, hours := len("2006-01-"), len("2006-01-02T15")
	switch {
	case day(date) == "":
		return date
	case hour && len(date) > hours:
		return date[:hours] + zeros(date[hours:])
	case hour:
		return date
	}
	return date[:month] + "01" + zeros(date[len(time.DateOnly):])
}

func region(value string) string {
	if _, known := regions.All()[value]; known {
		return value
	}
	return ""
}

func zone(value string) string {
	if value == "UTC" || regions.KnownZones()[value] {
		return value
	}
	return ""
}

func spoken(value string) string {
	if !languageShape().MatchString(value) {
		return ""
	}
	if _, err := language.Parse(value); err != nil {
		return ""
	}
	return value
}

// bounce returns the code that a message about a bounce begins with: the rest may name an address.
func bounce(value string) string {
	if parts := bounceShape().FindStringSubmatch(value); parts != nil {
		return parts[1]
	}
	return ""
}
