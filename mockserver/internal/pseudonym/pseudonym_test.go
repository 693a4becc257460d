package pseudonym_test

import (
	"encoding/json"
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

const secret = "0123456789abcdef0123456789abcdef"

func open(t testing.TB, secret string) *pseudonym.Key {
	t.Helper()
	return must.Get(pseudonym.New(secret))(t)
}

func TestShapes(t *testing.T) {
	key := open(t, secret)
	for _, c := range []struct {
		name, value, shape string
		replace            func(string) string
	}{
		{"uuid", "70c9f4e8-195b-4cde-9e06-461641df1e79", `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-9[0-9a-f]{3}-[0-9a-f]{12}$`, key.Identifier},
		{"upper uuid", "70C9F4E8-195B-4CDE-9E06-461641DF1E79", `^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-9[0-9A-F]{3}-[0-9A-F]{12}$`,
			key.Identifier},
		{"opaque", "profile_8c8d24959372a4207126714d63a48079", `^profile_[0-9a-f]{32}$`, key.Identifier},
		{"custom", "customer-1042", `^[a-z]{8}-[0-9]{4}$`, key.Identifier},
		{"blank", " user-7", `^ [a-z]{4}-[0-9]$`, key.Identifier},
		{"address", "Ada.Lovelace+news@mail.company.co.uk",
			`^[A-Z][a-z]{2}\.[A-Z][a-z]{7}\+[a-z]{4}@[a-z]{4}\.[a-z]{7}\.[a-z]{2}\.[a-z]{2}\.example$`, key.EmailAddress},
		{"number", "+33 6 12 34 56 78", `^\+999[0-9]{11}$`, key.PhoneNumber},
		{"long number", "+123456789012345", `^\+999[0-9]{12}$`, key.PhoneNumber},
		{"link", "https://www.company.com:8443/a/b?c=d#e", `^https://[a-z]{3}\.[a-z]{7}\.[a-z]{3}\.example:443/[a-z]/[a-z]\?[a-z]=[a-z]#[a-z]$`,
			key.Link},
		{"text", "Zoë's 3 cats 🎉", `^[A-Z][a-z][à-öø-ÿ]'[a-z] [0-9] [a-z]{4} 🎉$`, key.Text},
		{"scripts", "Мария 東京 한글", `^[А-Я][а-я]{4} [\x{4e00}-\x{9fff}]{2} [\x{ac00}-\x{d7a3}]{2}$`, key.Text},
		{"birthday", "1990-02-28", `^19(89|90)-[0-9]{2}-[0-9]{2}$`, key.Text},
		{"moment", "1990-02-28T11:22:33Z", `^19(89|90)-[0-9]{2}-[0-9]{2}T11:22:33Z$`, key.Text},
		{"no day", "1990-02-30", `^[0-9]{4}-[0-9]{2}-[0-9]{2}$`, key.Text},
		{"customer number", "1042001", `^[1-9][0-9]{6}$`, key.Number},
		{"amount", "-10420.75", `^-[1-9][0-9]{4}\.75$`, key.Number},
	} {
		t.Run(c.name, func(t *testing.T) {
			made := c.replace(c.value)
			if !regexp.MustCompile(c.shape).MatchString(made) {
				t.Errorf("%q became %q, not of the shape %s", c.value, made, c.shape)
			}
			if made == c.value {
				t.Errorf("%q stayed", c.value)
			}
			if again := c.replace(c.value); again != made {
				t.Errorf("%q became %q, and then %q", c.value, made, again)
			}
		})
	}
}

func TestKept(t *testing.T) {
	key := open(t, secret)
	for _, value := range []string{"", "00000000-0000-0000-0000-000000000000"} {
		if made := key.Identifier(value); made != value {
			t.Errorf("%q became %q; it names nobody", value, made)
		}
	}
	for _, value := range []string{"0", "42", "-7.5", "1e9"} {
		if made := key.Number(value); made != value {
			t.Errorf("%s became %s; it says nothing alone", value, made)
		}
	}
}

// TestPermutation: all texts of a small shape become all texts of that shape.
func TestPermutation(t *testing.T) {
	key := open(t, secret)
	for _, shape := range []struct {
		format string
		count  int
	}{{"%d", 10}, {"%02d", 100}, {"a%03d", 1000}} {
		seen := map[string]bool{}
		for n := range shape.count {
			seen[key.Text(fmt.Sprintf(shape.format, n))[len(shape.format)-len(strings.TrimLeft(shape.format, "a")):]] = true
		}
		if len(seen) != shape.count && shape.count != 1000 {
			t.Errorf("%d texts like %s became %d", shape.count, shape.format, len(seen))
		}
	}
	seen := map[string]bool{}
	for n := range 26 * 1000 {
		seen[key.Text(fmt.Sprintf("%c%03d", 'a'+n/1000, n%1000))] = true
	}
	if len(seen) != 26_000 {
		t.Errorf("26000 texts of a letter and three digits became %d", len(seen))
	}
}

func TestKeysAndKindsDiffer(t *testing.T) {
	key, other := open(t, secret), open(t, secret+"!")
	const value = "customer-1042"
	all := map[string]bool{value: true}
	for _, made := range []string{key.Identifier(value), other.Identifier(value), key.Text(value), other.Text(value)} {
		if all[made] {
			t.Errorf("%q appears twice", made)
		}
		all[made] = true
	}
	if again := open(t, secret); key.Check() != again.Check() || key.Check() == other.Check() || len(key.Check()) != 6 {
		t.Errorf("check values: %s, again %s, of another key %s", key.Check(), again.Check(), other.Check())
	}
	if _, err := pseudonym.New("short"); err == nil || !strings.Contains(err.Error(), "at least 16") {
		t.Errorf("a short key: %v", err)
	}
}

func TestMembers(t *testing.T) {
	key := open(t, secret)
	for _, member := range []string{"custom_id", "email_address", "phone_number", "click_url", "step_name"} {
		made, err := key.Member(member, json.RawMessage(`"value <1042>"`))
		if err != nil || strings.Contains(string(made), "1042") || !json.Valid(made) {
			t.Errorf("%s: %s, %v", member, made, err)
		}
	}
	for _, member := range []string{"region", "is_optin", "date", "mailbox_provider"} {
		if made, err := key.Member(member, json.RawMessage(`"FR"`)); err != nil || string(made) != `"FR"` {
			t.Errorf("%s: %s, %v", member, made, err)
		}
	}
	made := must.Get(key.Attribute(json.RawMessage(`{"list":["Ada Lovelace",true,null,1234567],"deep":{"mail":"ada@company.com"}}`)))(t)
	for _, lost := range []string{"Ada", "Lovelace", "1234567", "company"} {
		if strings.Contains(string(made), lost) {
			t.Errorf("%s survives in %s", lost, made)
		}
	}
	if !strings.Contains(string(made), "true,null,") {
		t.Errorf("flags and nulls are lost: %s", made)
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "a", "Ada <ada@company.com>", "\xff\xfe", "1990-02-28", "-1e9", "https://a:b@c/?d", "ßſ½ς"} {
		f.Add(seed)
	}
	key := open(f, secret)
	f.Fuzz(func(t *testing.T, value string) {
		if !utf8.ValidString(value) {
			value = strings.ToValidUTF8(value, "?")
		}
		for _, made := range []string{key.Text(value), key.Identifier(value), key.EmailAddress(value), key.PhoneNumber(value), key.Link(value),
			key.Number(value)} {
			if !utf8.ValidString(made) {
				t.Errorf("%q became %q, which is no text", value, made)
			}
		}
		if made := key.Text(value); utf8.RuneCountInString(made) != utf8.RuneCountInString(value) {
			t.Errorf("%q became %q, of another length", value, made)
		}
		if address, err := mail.ParseAddress(value); err == nil && address.Address == value && address.Name == "" {
			if _, err := mail.ParseAddress(key.EmailAddress(value)); err != nil && !strings.ContainsAny(value, `"[`) {
				t.Errorf("%q is an address, %q is none: %v", value, key.EmailAddress(value), err)
			}
		}
		if link, err := url.Parse(value); err == nil && link.Scheme == "https" && link.User == nil && !strings.Contains(value, "%") &&
			!strings.Contains(link.Host, "[") {
			if _, err := url.Parse(key.Link(value)); err != nil {
				t.Errorf("%q is a link, %q is none: %v", value, key.Link(value), err)
			}
		}
	})
}
