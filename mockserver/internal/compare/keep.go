package compare

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare/conversation"
)

// Keep is a directory of transcripts: what is there is compared again, and nobody is asked.
type Keep struct{ Directory string }

func (k *Keep) file(its *conversation.Conversation, run string) string {
	return filepath.Join(k.Directory, its.Name+"."+run+".json")
}

// read is the transcript that was kept, if it is of the same conversation with the same service, and came to an end.
func (k *Keep) read(its *conversation.Conversation, service *Service, run string) *Transcript {
	if k == nil || its.Exports() == 0 {
		return nil
	}
	text, err := os.ReadFile(k.file(its, run))
	if err != nil {
		return nil
	}
	made := &Transcript{}
	if err := json.Unmarshal(text, made); err != nil || made.Digest != its.Digest || made.Service != service.Address || made.Skipped != "" {
		return nil
	}
	return made
}

// write keeps a transcript of a conversation that makes exports; others are cheap to have again.
func (k *Keep) write(made *Transcript, its *conversation.Conversation, _ *Service, run string) error {
	if k == nil || its.Exports() == 0 || made.Skipped != "" {
		return nil
	}
	if err := os.MkdirAll(k.Directory, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("--keep: %w", err)
	}
	text, err := json.MarshalIndent(made, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(k.file(its, run), append(text, '\n'), 0o644)
}
