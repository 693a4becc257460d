package journal

import (
	"fmt"
	"slices"
	"strings"
)

// end judges what was left undone.
func (j *judge) end(h *history) {
	for _, part := range sortedParts(h.downloaded) {
		if last := h.downloaded[part]; last.Broken && !h.retried[part] && !h.withheld {
			j.find(DownloadAbandoned, h.key, h.id, fmt.Sprint(part), last,
				fmt.Sprintf("the download of part %d ended after %d bytes, and neither the rest nor the file was fetched again",
					part, last.ResponseBytes))
		} else if got := h.received[part]; got.lacks() && !last.Broken && !h.withheld {
			j.find(FilePartlyRead, h.key, h.id, fmt.Sprint(part), last,
				fmt.Sprintf("of part %d only %d of %d bytes were fetched, in ranges", part, got.bytes(), got.size))
		}
	}
	if h.final == nil && h.told != nil {
		h.key, h.seen, h.final, h.parts = h.told.Key, h.told, h.told, h.told.Parts
	}
	var its Dialect
	for _, e := range []*Entry{h.created, h.seen, h.final} {
		if e != nil {
			its = j.how.Dialect(e)
		}
	}
	switch {
	case h.final == nil && (h.unanswered || h.stuck && h.seen != nil):
	case h.final == nil && h.seen != nil:
		j.find(FinalStateNeverRead, h.key, h.id, "", h.seen, fmt.Sprintf("the last lookup saw %s; no lookup has seen %s or %s so far",
			h.seen.ExportStatus, its.Done, its.Failed))
	case h.final == nil && h.created != nil:
		j.find(FinalStateNeverRead, h.key, h.id, "", h.created, "the export was created and not looked up so far")
	case h.final == nil || h.final.ExportStatus != its.Done || h.parts == 0 || h.withheld:
	case len(h.downloaded) == 0:
		j.find(FileNeverDownloaded, h.key, h.id, "", h.final, fmt.Sprintf("the export is %s, and no file of it was downloaded so far", its.Done))
	case len(h.downloaded) < h.parts:
		var missing []string
		for part := 1; part <= h.parts; part++ {
			if h.downloaded[part] == nil {
				missing = append(missing, fmt.Sprint(part))
			}
		}
		j.find(PartSkipped, h.key, h.id, "", h.final, fmt.Sprintf("of %d parts, these were not downloaded so far: %s", h.parts,
			strings.Join(missing[:min(len(missing), 20)], ", ")))
	}
}

func sortedParts(downloaded map[int]*Entry) []int {
	parts := make([]int, 0, len(downloaded))
	for part := range downloaded {
		parts = append(parts, part)
	}
	slices.Sort(parts)
	return parts
}

// sorted lists the findings by their first request, errors before warnings.
func (j *judge) sorted() []Finding {
	findings := make([]Finding, 0, len(j.findings))
	for _, finding := range j.findings {
		if finding.Severity != Off && (j.how.Key == "" || j.how.Key == finding.Key) {
			findings = append(findings, *finding)
		}
	}
	slices.SortFunc(findings, func(a, b Finding) int {
		if a.Severity != b.Severity {
			return strings.Compare(string(a.Severity), string(b.Severity))
		}
		if a.Requests[0] != b.Requests[0] {
			return int(int64(a.Requests[0]) - int64(b.Requests[0]))
		}
		return strings.Compare(a.Code+a.Message, b.Code+b.Message)
	})
	return findings
}
