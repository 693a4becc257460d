package exports

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// AppendJSON appends what [encoding/json.Marshal] makes of the record. A store writes one with every creation, and
// reflection would take longer than the rest of the writing; what hardly any record says is left to it. A test sees that
// no member is left out.
func (r *Record) AppendJSON(into []byte) ([]byte, error) {
	e := encoder{into: into}
	e.text(`{"id":`, r.ID)
	e.text(`,"kind":`, r.Kind)
	e.text(`,"interface":`, r.Interface)
	e.text(`,"owner":`, r.Owner)
	e.text(`,"uri":`, r.URI)
	if len(r.Request) > 0 {
		e.request(r.Request)
	}
	e.instant(`,"created_at":`, r.CreatedAt)
	e.file(&r.File)
	e.text(`,"progress":`, r.Progress.String())
	e.textUnlessEmpty(`,"outcome":`, string(r.Outcome))
	e.textUnlessEmpty(`,"error_message":`, r.ErrorMessage)
	e.textUnlessEmpty(`,"link":`, string(r.Link))
	if !r.Scenario.IsZero() {
		e.text(`,"scenario":`, r.Scenario.String())
	}
	e.number(`,"polls":`, int64(r.Polls))
	if r.Steps != 0 {
		e.number(`,"steps":`, int64(r.Steps))
	}
	if r.Stages != nil {
		e.number(`,"stages":`, int64(*r.Stages))
	}
	if r.StartedAt != nil {
		e.instant(`,"started_at":`, *r.StartedAt)
	}
	if r.CompletedAt != nil {
		e.instant(`,"completed_at":`, *r.CompletedAt)
	}
	if len(r.Written) > 0 {
		e.other(`,"written":`, r.Written)
	}
	return append(e.into, '}'), e.err
}

// encoder appends the members of a record, each behind the text that introduces it.
type encoder struct {
	into []byte
	err  error // the first one
}

func (e *encoder) file(f *File) {
	e.text(`,"file":{"kind":`, f.Kind)
	if f.Window != (Window{}) {
		e.instant(`,"window":{"from":`, f.Window.From)
		e.instant(`,"to":`, f.Window.To)
		e.into = append(e.into, '}')
	}
	e.instant(`,"now":`, f.Now)
	e.textUnlessEmpty(`,"api_key":`, f.APIKey)
	e.textUnlessEmpty(`,"target":`, f.Target)
	e.textUnlessEmpty(`,"segment":`, f.Segment)
	e.texts(`,"events":`, f.Events)
	e.texts(`,"ids":`, f.IDs)
	e.texts(`,"channels":`, f.Channels)
	e.texts(`,"attributes":`, f.Attributes)
	e.texts(`,"identifiers":`, f.Identifiers)
	if f.MaxRows != nil {
		e.number(`,"max_rows":`, *f.MaxRows)
	}
	e.into = strconv.AppendUint(append(e.into, `,"seed":`...), f.Seed, 10)
	e.number(`,"profiles":`, f.Profiles)
	if usual := world.SayTextureOnly(&f.Settings); usual && f.Settings.Texture != "" {
		e.text(`,"settings":{"texture":`, string(f.Settings.Texture))
		e.into = append(e.into, '}')
	} else if !usual {
		e.other(`,"settings":`, &f.Settings)
	}
	if f.DataGeneration != 0 {
		e.number(`,"data_generation":`, f.DataGeneration)
	}
	if f.DataOnly {
		e.into = append(e.into, `,"data_only":true`...)
	}
	e.number(`,"world_version":`, int64(f.WorldVersion))
	e.textUnlessEmpty(`,"schema_digest":`, f.SchemaDigest)
	if f.PartSize != 0 {
		e.number(`,"part_size":`, f.PartSize)
	}
	if !f.Arrival.IsZero() {
		e.text(`,"arrival":`, f.Arrival.String())
	}
	if f.Faults != (Faults{}) {
		e.other(`,"faults":`, &f.Faults)
	}
	e.into = append(e.into, '}')
}

// other appends what is left to reflection.
func (e *encoder) other(introduced string, value any) {
	encoded, err := json.Marshal(value)
	if err != nil && e.err == nil {
		e.err = err
	}
	e.into = append(append(e.into, introduced...), encoded...)
}

func (e *encoder) text(introduced, text string) {
	for i := range len(text) {
		if !plain[text[i]] {
			e.other(introduced, text)
			return
		}
	}
	e.into = append(append(append(append(e.into, introduced...), '"'), text...), '"')
}

func (e *encoder) textUnlessEmpty(introduced, text string) {
	if text != "" {
		e.text(introduced, text)
	}
}

func (e *encoder) texts(introduced string, texts []string) {
	separator := `[`
	for _, text := range texts {
		e.into = append(e.into, introduced...)
		e.text(separator, text)
		introduced, separator = "", `,`
	}
	if len(texts) > 0 {
		e.into = append(e.into, ']')
	}
}

func (e *encoder) number(introduced string, number int64) {
	e.into = strconv.AppendInt(append(e.into, introduced...), number, 10)
}

func (e *encoder) instant(introduced string, instant time.Time) {
	e.into = append(append(e.into, introduced...), '"')
	appended, err := instant.AppendText(e.into)
	if err != nil {
		if e.err == nil {
			e.err = err
		}
		return
	}
	e.into = append(appended, '"')
}

// request appends the payload without its spacing. It was sent as JSON, so it is not read again.
func (e *encoder) request(payload json.RawMessage) {
	const introduced = `,"request":`
	begin, quoted := len(e.into), false
	e.into = append(e.into, introduced...)
	for _, c := range payload {
		switch {
		case plain[c], c == '"':
			quoted = quoted != (c == '"')
			if quoted || c != ' ' {
				e.into = append(e.into, c)
			}
		case !quoted && (c == '\t' || c == '\n' || c == '\r'):
		default:
			e.into = e.into[:begin]
			e.other(introduced, payload)
			return
		}
	}
}

// plain tells the characters that stand for themselves in JSON as it is written here: those that are no HTML either.
var plain = func() (is [256]bool) {
	for c := ' '; c <= '~'; c++ {
		is[c] = c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
	}
	return is
}()
