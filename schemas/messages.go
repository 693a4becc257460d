package schemas

import (
	"slices"
	"strings"
)

// What x-export says of messages: target and stream. An overlay from before these members existed leaves
// them out, and an export that was stored then has a digest of files without them. Both stay valid.

// Views whose rows are about messages, and those of them whose path names a campaign or a group.
var (
	messageViews  = []string{"installation-messages", "installation-recipients", "profile-messages"}
	targetedViews = []string{"installation-messages", "installation-recipients"}
)

// completeMessages fills in target and stream where they are left out, and refuses them where they have no
// meaning.
func (l *Library) completeMessages(export *Export) error {
	for _, member := range []struct {
		name    string
		value   *string
		views   []string
		of      func(Export) string
		example string
	}{
		{"target", &export.Target, targetedViews, func(e Export) string { return e.Target }, `"campaign" or "group", which the path names after the application key`},
		{"stream", &export.Stream, messageViews, func(e Export) string { return e.Stream }, `a name such as "campaign", the same in every export of the same messages`},
	} {
		place, meaningful := "/x-export/"+member.name, slices.Contains(member.views, export.View)
		switch {
		case !meaningful && *member.value != "":
			return &FileError{export.Output, place, "has no meaning for the view " + export.View + ": leave it out; it is for " + strings.Join(member.views, ", ")}
		case !meaningful || *member.value != "":
			continue
		}
		builtIn := l.builtInExport(func(e Export) bool { return e.Request == export.Request })
		if *member.value = member.of(builtIn); *member.value == "" {
			return &FileError{export.Output, place, "is missing, and no built-in export has the request " + export.Request + ": write " + member.example}
		}
	}
	return nil
}

// builtInExport is the first export of the embedded files that a condition holds for; the zero value: none.
func (l *Library) builtInExport(is func(Export) bool) Export {
	if l.builtIn != nil {
		if at := slices.IndexFunc(l.builtIn.exports, is); at >= 0 {
			return l.builtIn.exports[at]
		}
	}
	return Export{}
}

// hasBuiltInMessages tells whether target and stream of an export are those of the built-in export of its
// kind, or of none where it has none.
func (l *Library) hasBuiltInMessages(export Export) bool {
	if l.builtIn == nil || export.Stream == "" {
		return true
	}
	builtIn := l.builtInExport(func(e Export) bool { return e.Kind == export.Kind })
	return builtIn.Target == export.Target && builtIn.Stream == export.Stream
}
