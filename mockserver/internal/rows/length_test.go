package rows

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/merged"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// randomFile is a request for a part of what an export can tell, of some world.
func randomFile(library *schemas.Library, export schemas.Export, random *rand.Rand) exports.File {
	request := merged.Of([]*jsonschema.Schema{library.Schema(export.Request)}, nil)
	pick := func(list string) (chosen []string) {
		for _, allowed := range asked.Requested(request, list).Enum() {
			if name, is := allowed.(string); is && random.IntN(3) > 0 {
				chosen = append(chosen, name)
			}
		}
		return chosen
	}
	now := time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(random.Int64N(int64(700 * 24 * time.Hour))))
	spec := exports.File{
		Kind: export.Kind, Now: now, Window: exports.Window{From: now.Add(-time.Duration(random.Int64N(int64(20 * 24 * time.Hour)))), To: now},
		APIKey: []string{"live_demo", `odd"key`}[random.IntN(2)], Target: []string{"spring", "autumn"}[random.IntN(2)],
		Seed: random.Uint64(), Profiles: 1 + random.Int64N(400), WorldVersion: world.Version,
		Settings: world.Settings{Texture: texture.Levels()[random.IntN(len(texture.Levels()))]},
		PartSize: []int64{0, 700, 5_000, 100 << 20}[random.IntN(4)],
		Events:   pick("events"), IDs: pick("ids"), Channels: pick("channels"), Identifiers: pick("identifiers"),
	}
	if random.IntN(2) == 0 {
		spec.Attributes = append(pick("attributes"), "favourite_colour")
	} else {
		spec.Attributes = pick("attributes")
	}
	if export.View == vocabulary.ViewProfiles && random.IntN(3) == 0 {
		spec.Segment = "gold"
	}
	if random.IntN(4) == 0 {
		most := random.Int64N(300)
		spec.MaxRows = &most
	}
	return spec
}

// What the lengths of rows say of a file must be what it is made of, row by row
// and block by block.
func TestLengthsAreThoseOfTheText(t *testing.T) {
	library, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 4))
	renderer := NewRenderer(library)
	for _, export := range library.Exports() {
		for range 12 {
			spec := randomFile(library, export, random)
			file, err := renderer.Open(spec)
			if err != nil {
				t.Fatalf("%+v: %v", spec, err)
			}
			compareLengths(t, file)
			if t.Failed() {
				t.Fatalf("the file is %+v", spec)
			}
		}
	}
}

func compareLengths(t *testing.T, file *File) {
	t.Helper()
	var (
		s     program.Scratch
		whole []byte
		count int64
	)
	for unit := range file.view.Units() {
		s.Rows = file.view.Append(s.Rows[:0], unit)
		for i := range s.Rows {
			if count == file.limit() {
				break
			}
			count++
			fresh := s.Rows[i]
			length := file.plan.rowLength(&s.Rows[i], &s)
			text := file.plan.appendRow(nil, &fresh, &s)
			if length != len(text) {
				t.Fatalf("a row of %d bytes was said to have %d: %s", len(text), length, text)
			}
			whole = append(whole, text...)
		}
	}
	if err := file.Layout(t.Context()); err != nil {
		t.Fatal(err)
	}
	offset := int64(0)
	for i := range len(file.blocks) - 1 {
		b := file.blocks[i]
		text := file.render(nil, b)
		if b.offset != offset || !bytes.Equal(text, whole[offset:offset+int64(len(text))]) {
			t.Fatalf("block %d begins at %d, said to be %d", i, offset, b.offset)
		}
		offset += int64(len(text))
	}
	if last := file.blocks[len(file.blocks)-1]; last.offset != offset || offset != int64(len(whole)) {
		t.Errorf("the rows have %d bytes, said to be %d", len(whole), last.offset)
	}
}

// Only what a schema adds may need rendering: everything of the built-in ones
// has a length of its own.
func TestNoBuiltInRowIsRenderedForItsLength(t *testing.T) {
	library, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	for _, export := range library.Exports() {
		for range 6 {
			file, err := NewRenderer(library).Open(randomFile(library, export, random))
			if err != nil {
				t.Fatal(err)
			}
			for i := range file.plan.variants {
				if p := &file.plan.variants[i]; needsRendering(p) {
					t.Errorf("%s: rows of kind %d are rendered for their length", export.Kind, i)
				}
			}
		}
	}
}

func needsRendering(p *program.Program) bool {
	for i := range p.Ops {
		o := &p.Ops[i]
		if o.Kind == program.Text && o.TextValue.Width == 0 && o.TextValue.Length == nil || o.Kind == program.Array && needsRendering(&o.List.Item) {
			return true
		}
	}
	return p.Rendered
}

// A schema may ask for what has no length of its own: an object that may be
// empty, and lists of them.
func TestLengthsOfWhatSchemasAdd(t *testing.T) {
	library, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	const name, before = "profiles/attributes.output.json", `"identifiers": {
        "title"`
	source := string(library.Source(name))
	if !strings.Contains(source, before) {
		t.Fatalf("%s does not contain %q", name, before)
	}
	changed, err := schemas.Open(fstest.MapFS{name: {Data: []byte(strings.Replace(source, before,
		`"phone": {"type": "object", "properties": {"number": {"type": "string", "x-source": "profile.phone_number"}, "country": {"type": "string", "x-source": "profile.phone_country"}}, "additionalProperties": false},
		"devices": {"type": "array", "x-source": "profile.installations", "items": {"type": "object", "additionalProperties": false,
			"properties": {"advertising_id": {"type": "string", "x-source": "installation.advertising_id"}, "colour": {"type": "array", "items": {"type": "string"}, "minItems": 1}}}},
		"mood": {"type": "object", "properties": {"level": {"type": "integer"}}}, `+before, 1))}})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 8))
	for _, export := range changed.Exports() {
		if export.Output != name {
			continue
		}
		for range 20 {
			file, err := NewRenderer(changed).Open(randomFile(changed, export, random))
			if err != nil {
				t.Fatal(err)
			}
			compareLengths(t, file)
		}
	}
}
