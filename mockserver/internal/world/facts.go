package world

// Fact is a value of a row that a member or column prints (the schema keyword
// x-source). Exactly one of the functions without "Absent" and "Length" is set
// and says what kind of value it is. Texts are ASCII without quotes, semicolons,
// backslashes and control characters, so they stand in CSV and JSON as they
// are, unless Length says otherwise.
type Fact struct {
	Text   func(dst []byte, row *Row) []byte
	Flag   func(row *Row) bool
	Number func(row *Row) int64
	Time   func(row *Row) int64
	Choice func(row *Row) int // an index in Names
	Names  []string
	// Each adds a row for every item of a list to items.
	Each func(row *Row, items []Row) []Row
	// Words is a text that may hold any characters.
	Words func(row *Row) string
	// Absent says that there is no value; nil: there always is.
	Absent func(row *Row) bool
	// Width is how many bytes Text always adds; 0: they differ.
	Width int
	// Length is how many bytes Text adds for a row; nil: Width says, or only
	// writing it tells. Below zero, only writing tells for this row, and the text
	// may hold any characters.
	Length func(row *Row) int
	Hints  Hints
}

// Hints say what helps to write a fact.
type Hints struct {
	// DependsOn says of what of a row the value is, if of one thing only.
	DependsOn Dependence
	// InOrder says that rows are in the order of Time, mostly.
	InOrder bool
	// Optional is Text that adds nothing where there is no value, found with less work; nil:
	// there is no such way.
	Optional func(dst []byte, row *Row) []byte
}

// Dependence is what the value of a fact depends on.
type Dependence uint8

// What a value may depend on.
const (
	OnRow           Dependence = iota // on anything
	OnOrchestration                   // on nothing of a row but its orchestration
	OnRecipient                       // on nothing of a row but whom it is about (see [Row.Recipient])
)

// Scope is what facts need to know beside the row.
type Scope struct {
	View View // the view whose rows the facts are of
	// Messages is the view of vocabulary.ViewProfileMessages that has a profile's latest
	// opens and clicks; nil: they are absent.
	Messages View
	// InApp is a view of in-app messages, of any campaign: they are shown when the
	// app is started; nil: there are none.
	InApp View
}

// Fact finds a fact of synthetic rows by its name, for example
// "installation.id". It reports false for a name that the world does not have.
func (w *World) Fact(name string, scope Scope) (Fact, bool) {
	fact, known := w.plainFact(name, scope)
	return w.textured(name, fact), known
}

// plainFact is a fact before its texts become awkward.
func (w *World) plainFact(name string, scope Scope) (Fact, bool) {
	if fact, known := InstallationFact(installationFacts{w, scope}, name); known {
		return fact, true
	}
	if fact, known := ProfileFact(profileFacts{w, scope}, name); known {
		return fact, true
	}
	return EventFact(eventFacts{w, scope}, name)
}

// textFact is one of a few constant texts.
func textFact(of func(*Row) string) Fact {
	return Fact{
		Text:   func(dst []byte, r *Row) []byte { return append(dst, of(r)...) },
		Length: func(r *Row) int { return len(of(r)) },
	}
}
