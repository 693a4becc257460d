package check

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"

// constants are the values of an installation that never change.
var constants = [...]struct {
	of   source
	what string
}{
	{advertisingID, "the advertising identifier of the installation"},
	{platform, "the platform of the installation"},
	{installDate, "the date of the installation"},
}

// checkIdentifiers compares the identifiers of a row with those of other rows.
func (s *installationSweep) checkIdentifiers(r *row) {
	if !s.identified {
		return
	}
	for i, constant := range constants {
		if r.knows(constant.of) {
			s.assertSame(rules.Installation, &s.constants[i], constant.what, r.value(constant.of), r.place)
		}
	}
}

// checkLink compares the custom identifier of a row with that of other rows. Timed says that the row before came earlier.
func (s *installationSweep) checkLink(r *row, timed bool) {
	switch {
	case !r.knows(customID):
		return
	case !timed && (r.value(customID) == "" || s.link.everUnlinked || s.link.unlinkedSometime):
		return
	case r.value(customID) == "":
		s.link.everUnlinked = s.link.everUnlinked || s.link.custom.value != ""
		s.link.unlinked = true
		return
	case (s.link.unlinked || s.link.unlinkedSometime) && s.link.custom.value != r.value(customID):
		s.link.custom = immutableField{}
	}
	s.link.unlinked = false
	s.assertSame(rules.Installation, &s.link.custom, "the custom identifier of the installation", r.value(customID), r.place)
}
