package world

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// texturedFact is a fact whose texts become awkward, and which number a row's
// text has: the same thing has the same text in all files.
type texturedFact struct {
	name    string
	kind    texture.Kind
	number  func(r *Row) uint64
	hostile bool // only in a hostile world
}

func profileNumber(r *Row) uint64      { return uint64(r.Profile) }
func installationNumber(r *Row) uint64 { return uint64(r.Installation) }

func orchestrationNumber(r *Row) uint64 { return uint64(r.Orchestration) }
func messageNumber(r *Row) uint64       { return r.Message }

// texturedFacts are the facts that hold free text: identifiers that customers
// chose, addresses, labels. Those that hold words of a list are not among them.
var texturedFacts = [...]texturedFact{
	{name: vocabulary.CustomID, kind: texture.Identifiers, number: profileNumber},
	{name: vocabulary.EmailAddress, kind: texture.Addresses, number: profileNumber},
	{name: vocabulary.MailboxProvider, kind: texture.Names, number: profileNumber, hostile: true},
	{name: vocabulary.AdvertisingID, kind: texture.Devices, number: installationNumber},
	{name: vocabulary.OrchestrationName, kind: texture.Names, number: orchestrationNumber},
	{name: vocabulary.StepName, kind: texture.Names, number: orchestrationNumber},
	{name: vocabulary.ClickURL, kind: texture.Links, number: messageNumber},
	{name: vocabulary.ClickURLName, kind: texture.Names, number: messageNumber, hostile: true},
}

// Texture is what becomes of texts of the world; nil when they stay as they are.
func (w *World) Texture() *texture.Texture { return texture.New(w.settings.Texture, w.seed) }

// Awkward reports whether the text of a fact may hold any characters where its
// Length is below zero.
func (w *World) Awkward(name string) bool { return w.Texture() != nil && w.texturedAs(name) != nil }

// texturedAs says how the texts of a fact become awkward; nil: they do not.
func (w *World) texturedAs(name string) *texturedFact {
	for i := range texturedFacts {
		if found := &texturedFacts[i]; found.name == name && (!found.hostile || w.Texture().Hostile()) {
			return found
		}
	}
	return nil
}

// columnOf is the column of a textured fact; nil when its texts stay as they are.
func (w *World) columnOf(of *texturedFact) *texture.Column {
	column := w.Texture().Column(of.name, of.kind)
	if of.kind != texture.Identifiers {
		return column
	}
	return column.WithLookAlikes(
		func(number uint64) bool { return w.customBy(saltOf(number)) },
		func(dst []byte, number uint64) []byte { return w.appendCustomID(dst, int64(number)) })
}

// textured makes the texts of a fact awkward.
func (w *World) textured(name string, fact Fact) Fact {
	found := w.texturedAs(name)
	if w.Texture() == nil || found == nil {
		return fact
	}
	column, plain, length, width, number := w.columnOf(found), fact.Text, fact.Length, fact.Width, found.number
	fact.Text = func(dst []byte, r *Row) []byte {
		begin := len(dst)
		return column.Apply(plain(dst, r), begin, number(r))
	}
	fact.Width, fact.Hints.Optional = 0, nil
	fact.Length = func(r *Row) int {
		switch {
		case column.Touches(number(r)) || width == 0 && length == nil:
			return -1
		case width > 0:
			return width
		}
		return length(r)
	}
	return fact
}
