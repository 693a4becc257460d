package importer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/unpack"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// kindOfRows tells rows of a dataset, as [Files] hands them out, from export files: the name of the file says which they are,
// and the first row that it is no row of an export, which has identifiers of its own.
func kindOfRows(name string, begin []byte) string {
	kind, is := strings.CutSuffix(path.Base(strings.ReplaceAll(strings.TrimSuffix(name, ".gz"), `\`, "/")), ".ndjson")
	first, _, _ := bytes.Cut(begin, []byte("\n"))
	if !is || kind != "profiles" && kind != "installations" && kind != "events" || bytes.Contains(first, []byte(`"identifiers"`)) {
		return ""
	}
	return kind
}

// datasetRows reads rows of a dataset, and tells of them as if they came from the export files that would show them.
func (i *importer) datasetRows(at int, input Input, kind string, content unpack.Content) error {
	of, counts := source{file: at}, map[shownIn]int64{}
	for {
		line, err := content.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			of.row++
			var row members
			if err := json.Unmarshal(line, &row); err != nil || row == nil {
				return fmt.Errorf("line %d is no JSON object", of.row)
			}
			if err := i.datasetRow(kind, row, &of, counts); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if of.row%1024 == 0 && i.ctx.Err() != nil {
			return i.ctx.Err()
		}
	}
	for _, file := range slices.SortedFunc(maps.Keys(counts), func(a, b shownIn) int {
		return cmp.Or(strings.Compare(a.kind, b.kind), strings.Compare(a.campaign, b.campaign))
	}) {
		i.summary.Files = append(i.summary.Files, File{Name: input.Name, Input: at, Kind: file.kind, Campaign: file.campaign, Rows: counts[file]})
	}
	if damage := content.Damage(); damage != "" {
		return errors.New(damage)
	}
	return nil
}

// shownIn is a kind of export and, of some, the campaign or group, whose file would show a row.
type shownIn struct{ kind, campaign string }

func (i *importer) datasetRow(kind string, row members, of *source, counts map[shownIn]int64) error {
	who := identity{profile: row.text(profileID), custom: row.text(customID)}
	id := row.text(installID)
	switch kind {
	case "profiles":
		if row["creation_date"] != nil {
			counts[shownIn{kind: i.shownBy(vocabulary.ViewProfiles, "")}]++
		}
		return i.keep(who, "", fragment{About: aboutPerson, Weight: strong, Members: row}, of)
	case "installations":
		if row["install_date"] != nil {
			counts[shownIn{kind: i.shownBy(vocabulary.ViewInstallations, "")}]++
		}
		return i.keep(who, id, fragment{About: aboutInstallation, Weight: strong, Members: row}, of)
	}
	if row["sent_id"] != nil || row["orchestration_id"] != nil {
		counts[shownIn{kind: i.shownBy(vocabulary.ViewProfileMessages, "profiles")}]++
	}
	stream := "campaign"
	if strings.HasPrefix(row.text(eventType), "inapp_") {
		stream = "in-app-campaign"
	}
	for target, stream := range map[string]string{"campaign": stream, "group": "transactional"} {
		if name := row.text(target); name != "" {
			counts[shownIn{i.shownBy(vocabulary.ViewInstallationMessages, stream), name}]++
		}
	}
	i.latest = max(i.latest, row.text(eventDate))
	return i.keep(who, id, fragment{About: aboutEvent, Members: row}, of)
}

// shownBy is the kind of export that shows a view of a stream; "": none does.
func (i *importer) shownBy(view, stream string) string {
	for _, export := range i.library.Exports() {
		if export.View == view && export.Stream == stream {
			return export.Kind
		}
	}
	return ""
}
