package encode

import "testing"

func TestText(t *testing.T) {
	csv, plain := Format{CSV: true, Separator: ";"}, Format{}
	cases := []struct{ value, csv, json string }{
		{"plain", `plain`, `"plain"`},
		{"", ``, `""`},
		{"a;b", `"a;b"`, `"a;b"`},
		{`say "x"`, `"say ""x"""`, `"say \"x\""`},
		{"two\nlines", "\"two\nlines\"", `"two\nlines"`},
		{"<&>", "<&>", `"<&>"`},
		{" led", `" led"`, `" led"`},
	}
	for _, c := range cases {
		if got := string(csv.Text(c.value)); got != c.csv {
			t.Errorf("CSV of %q = %s, want %s", c.value, got, c.csv)
		}
		if got := string(plain.Text(c.value)); got != c.json {
			t.Errorf("JSON of %q = %s, want %s", c.value, got, c.json)
		}
	}
}
