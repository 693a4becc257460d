package pseudonym_test

import (
	"fmt"
	"net/mail"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

const (
	secret  = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	name    = `^[a-z]+-[a-z]+-[0-9a-f]{8}$`
	address = `^[a-z]+\.[a-z]+\.[0-9a-f]{8}@mail\.example$`
	number  = `^\+999[0-9]{12}$`
	link    = `^https://link\.example/[0-9a-f]{16}$`
	opaque  = `[0-9a-f]{32}$`
)

func open(t testing.TB, secret string) *pseudonym.Key {
	t.Helper()
	return must.Get(pseudonym.New(secret))(t)
}

// TestText: a value is kept if it is of a closed kind, and is somebody else's otherwise.
func TestText(t *testing.T) {
	key := open(t, secret)
	for _, c := range []struct {
		member, value, shape string
		kept                 bool
	}{
		{"install_id", "70C9F4E8-195B-1CDE-7E06-461641DF1E79", `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, false},
		{"profile_id", "profile_8c8d24959372a4207126714d63a48079", `^profile_` + opaque, false},
		{"orchestration_id", "orchestration_1", `^orchestration_` + opaque, false},
		{"custom_id", "ada_0123456789abcdef", "^" + opaque, false},
		{"custom_id", "Ada Lovelace", "^" + opaque, false},
		{"advertising_id", "00000000-0000-0000-0000-000000000000", `^[0-]+$`, false},
		{"email_address", "Ada.Lovelace+news@mail.company.co.uk", address, false},
		{"email_address", "ada", address, false},
		{"phone_number", "+33 6 12 34 56 78", number, false},
		{"click_url", "https://www.company.com:8443/ada?c=d#e", link, false},
		{"click_url", "ada lovelace", link, false},
		{"campaign", "20260301", name, false},
		{"step_name", "Welcome, Ada", name, false},
		{"attributes", "Ada Lovelace", name, false},
		{"attributes", "Мария 東京 한글", name, false},
		{"attributes", "ada@gmail.com", address, false},
		{"attributes", "+33612345678", number, false},
		{"attributes", "http://company.com/ada", link, false},
		{"attributes", "write to ada@gmail.com or 0612345678", name, false},
		{"attributes", "1990-02-28", `^1990-01-01$`, true},
		{"attributes", "1990-02-28T11:22:33Z", `^1990-01-01T00:00:00Z$`, true},
		{"attributes", "1990-02-30", number, false},
		{"attributes", "48.858370", `^49$`, true},
		{"attributes", "true", `^true$`, true},
		{"creation_date", "2026-02-28T11:22:33.123Z", `^2026-02-28T11:22:33.123Z$`, true},
		{"creation_date", "2026-02-28 Ada", name, false},
		{"region", "FR", `^FR$`, true},
		{"region", "Ada", name, false},
		{"phone_country", "XA", name, false},
		{"language", "pt-BR", `^pt-BR$`, true},
		{"language", "x-ada-lovelace", name, false},
		{"message_language", "ada-lovelace", name, false},
		{"timezone", "Europe/Paris", `^Europe/Paris$`, true},
		{"timezone", "Europe/Ada", name, false},
		{"bounce_code", "5.1.1", `^5\.1\.1$`, true},
		{"bounce_code", "550 5.1.1 <ada.lovelace@company.com>: User unknown", `^550 5\.1\.1$`, true},
		{"bounce_code", "550", `^550$`, true},
		{"bounce_code", "55012345", `^55000000$`, true},
		{"bounce_code", "5.1.1.33612345678", number, false},
		{"bounce_code", "unknown user ada", name, false},
		{"cta", "service.deeplink.user.ada.lovelace", name, false},
		{"gender", "F", name, false},
		{"anything", "Ada", name, false},
		{"anything", "", `^$`, true},
	} {
		made, why := key.Text(c.member, c.value)
		if again, _ := key.Text(c.member, c.value); !regexp.MustCompile(c.shape).MatchString(made) || (why != "") != c.kept || again != made {
			t.Errorf("%s %q became %q, kept because %q, then %q; want %s", c.member, c.value, made, why, again, c.shape)
		}
	}
}

func TestNumber(t *testing.T) {
	for value, want := range map[string]string{
		"0": "0", "42": "42", "-7.5": "-7.5", "1e9": "1000000000", "48.858370": "49", "2.294481": "2.3", "98765.43": "99000",
		"-10420.75":     "-10000",
		"0.00012345678": "0.00012", "1.23456789e2": "120", "33612345678": "34000000000", "1e400": "0", "1.2345e300": "1.2e+300",
	} {
		must.Equal(t, pseudonym.Number(value), want, "%s became", value)
	}
}

func TestShareable(t *testing.T) {
	for value, want := range map[string]bool{
		"gold": true, "Welcome 2026": true, "": false, "ada@company.com": false, "call 06 12 34 56 78": false, "75011": false,
		"48.858370, 2.294481": false, "https://company.com": false, strings.Repeat("a", 65): false,
	} {
		must.Equal(t, pseudonym.Shareable("attributes", value), want, "%q may be shared", value)
	}
	must.Hold(t, !pseudonym.Shareable("custom_id", "gold"), "an identifier may be shared")
}

func TestCoarse(t *testing.T) {
	for _, c := range []struct {
		date string
		hour bool
		want string
	}{
		{"2026-02-28T11:22:33.5Z", false, "2026-02-01T00:00:00.0Z"}, {"2026-02-28T11:22:33Z", true, "2026-02-28T11:00:00Z"},
		{"2026-02-28", false, "2026-02-01"}, {"2026-02-28", true, "2026-02-28"}, {"Ada", false, "Ada"},
	} {
		must.Equal(t, pseudonym.Coarse(c.date, c.hour), c.want, "%s became", c.date)
	}
}

// TestNobodyBecomesAnother: people, campaigns and addresses that differ stay so.
func TestNobodyBecomesAnother(t *testing.T) {
	key := open(t, secret)
	for member, format := range map[string]string{
		"custom_id": "Mar%cn %d", "install_id": "%08x-195b-4cde-9e06-%012d", "email_address": "m%cn%d@x.example",
		"campaign": "%c%d", "attributes": "Mar%c%d",
	} {
		seen := map[string]bool{}
		const people = 20_000
		for n := range people {
			made, _ := key.Text(member, fmt.Sprintf(format, 'ā'+n%100, n))
			seen[made] = true
		}
		must.Hold(t, len(seen) == people, "%s: %d values became %d", member, people, len(seen))
	}
}

func TestKeysDiffer(t *testing.T) {
	key, other := open(t, secret), open(t, pseudonym.Make())
	all := map[string]bool{}
	for _, member := range []string{"custom_id", "campaign", "email_address", "click_url", "phone_number"} {
		for _, of := range []*pseudonym.Key{key, other} {
			made, _ := of.Text(member, "customer-1042")
			must.Hold(t, !all[made], "%q appears twice", made)
			all[made] = true
			if pseudonym.IsReplaced(member) != (member != "campaign") || !pseudonym.IsMade(made) && member != "custom_id" {
				t.Errorf("%s: %q is not known as a pseudonym", member, made)
			}
		}
	}
	if again := open(t, secret); key.Check() != again.Check() || key.Check() == other.Check() || len(key.Check()) != 6 {
		t.Errorf("check values: %s, again %s, of another key %s", key.Check(), again.Check(), other.Check())
	}
	for _, short := range []string{"", "short", "fifteen bytes.."} {
		_, err := pseudonym.New(short)
		if err == nil || !strings.Contains(err.Error(), "--new-key") || len(short) > 0 && strings.Contains(err.Error(), short) {
			t.Errorf("the key %q: %v", short, err)
		}
	}
	first, second := pseudonym.Make(), pseudonym.Make()
	must.Hold(t, first != second, "two new keys are one")
}

// TestPassphrases: a passphrase gives the same pseudonyms for ever, and others than another passphrase or a made key.
func TestPassphrases(t *testing.T) {
	seen := map[string]string{}
	for passphrase, check := range map[string]string{
		"sixteen bytes...": "0a60c3", "sixteen bytes..!": "b5b44b", "0123456789abcdef": "352433", secret: "14595e", secret[2:]: "baedf0",
		"the passphrase of somebody who likes long ones, 64 characters...": "4c7cd3",
	} {
		key := open(t, passphrase)
		if got := key.Check(); got != check || seen[got] != "" || got != open(t, passphrase).Check() {
			t.Errorf("%q has the check value %s, wanted %s, as has %q", passphrase, got, check, seen[got])
		}
		seen[key.Check()] = passphrase
	}
}

// FuzzText: whatever a value is, nothing of it is left but what is said to be kept, and the form is that of its kind.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"", "a", "Ada <ada@company.com>", "\xff\xfe", "1990-02-28", "-1e9", "https://a:b@c/?d", "ßſ½ς", "550 ada", "fr-ada",
	} {
		f.Add(seed)
	}
	key := open(f, secret)
	f.Fuzz(func(t *testing.T, value string) {
		for _, member := range []string{
			"custom_id", "email_address", "phone_number", "click_url", "attributes", "region", "bounce_code", "language", "date", "timezone",
		} {
			made, why := key.Text(member, value)
			if !utf8.ValidString(made) || why == "" && strings.Trim(value, "0-") != "" && !pseudonym.IsMade(made) && member != "custom_id" {
				t.Errorf("%s: %q became %q", member, value, made)
			}
			if why != "" && strings.ContainsAny(made, "@<>/ ") && made != value && member != "bounce_code" {
				t.Errorf("%s: %q is kept as %q because %q", member, value, made, why)
			}
			if _, err := mail.ParseAddress(made); member == "email_address" && value != "" && err != nil {
				t.Errorf("%q is no address: %v", made, err)
			}
			if at, err := url.Parse(made); member == "click_url" && value != "" && (err != nil || at.Host != "link.example") {
				t.Errorf("%q is no link: %v", made, err)
			}
		}
	})
}
