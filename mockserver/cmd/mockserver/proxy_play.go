package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/listen"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/conversation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// converse has the conversations with the service, through a proxy that nobody else can reach.
func (f *proxyFlags) converse(ctx context.Context, t terminal, observer *drift.Observer, directory string) error {
	library := observer.Bench().Library()
	talks, err := f.play.conversations(library)
	if err != nil {
		return err
	}
	values, err := f.play.read()
	if err != nil {
		return err
	}
	endpoint, err := (&listen.Flags{Address: "127.0.0.1:0"}).Open(ctx)
	if err != nil {
		return err
	}
	defer endpoint.Close()
	token := rand.Text()
	serving, end := context.WithCancel(context.WithoutCancel(ctx)) // running requests end after the context
	defer end()
	wait, err := f.serve(serving, t, observer, directory, endpoint, token)
	if err != nil {
		return err
	}
	client := &http.Transport{DisableCompression: true}
	player := conversation.Player{
		Library: library, Client: client, Base: endpoint.Base("127.0.0.1") + auth.TokenPath(token), Values: values, Now: t.now, Pause: pause,
	}
	left := 0
	for _, each := range talks {
		if !each.Plays() {
			left++
			continue
		}
		if err := player.Play(ctx, each); err != nil && ctx.Err() == nil {
			fmt.Fprintf(t.err, "%s did not come to its end: %s\n", report.PrintableLines(each.Name), report.PrintableLines(err.Error()))
		}
	}
	if left > 0 {
		fmt.Fprintf(t.err, "left out: %s that wait for longer than %v, or need a mock server\n", report.Count(left, "conversation"),
			conversation.Patience)
	}
	client.CloseIdleConnections()
	end()
	return wait()
}

// conversations are those of the directory, or of the program.
func (p playFlags) conversations(library *schemas.Library) (made []*conversation.Conversation, err error) {
	if p.from == "default" {
		made, err = conversation.Default(library)
		return conversation.Together(made, nil), err
	}
	const largest = 1 << 20
	directory, err := files.OpenDirectory("--play", p.from, largest)
	if err != nil {
		return nil, err
	}
	if made, err = conversation.Load(library, directory); err != nil {
		return nil, fmt.Errorf("--play %s: %w", p.from, err)
	}
	if len(made) == 0 {
		return nil, usage.Errorf("--play %s has no conversations: they are files that end with .yaml, .yml or .json", p.from)
	}
	return conversation.Together(made, nil), nil
}

// read returns the values of the demo, and those of a file instead.
func (p playFlags) read() (map[string]string, error) {
	values := conversation.DemoValues()
	if p.values == "" {
		return values, nil
	}
	const limit = 1 << 20
	text, err := files.ReadBounded("--play-values", p.values, limit)
	if err != nil {
		return nil, err
	}
	read := map[string]string{}
	if err := yaml.Unmarshal(text, &read); err != nil {
		// The error of the reader would quote a secret.
		return nil, usage.Errorf("--play-values %s: it must be names with texts, such as company_key: ..., and is not", p.values)
	}
	for name, value := range read {
		if strings.TrimSpace(value) == "" {
			return nil, usage.Errorf("--play-values: %s is empty", name)
		}
		values[name] = value
	}
	return values, nil
}

// pause waits.
func pause(ctx context.Context, by time.Duration) error {
	timer := time.NewTimer(by)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
