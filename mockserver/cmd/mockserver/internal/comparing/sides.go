package comparing

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/listen"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare"
)

// side opens one of the services; closing ends what was started for it.
func (f *Flags) side(of side, name string, t Terminal) (made *compare.Service, closing func(), err error) {
	values, err := sideValues("--"+name+"-values", of.values)
	if err != nil {
		return nil, nil, err
	}
	limits, err := f.limits()
	if err != nil {
		return nil, nil, err
	}
	trust, err := listen.Trust{Authority: f.trust}.Config("--ca")
	if err != nil {
		return nil, nil, err
	}
	made = &compare.Service{
		Name: name, Address: of.place, Values: values, Now: t.Now, Pause: realPause, Budget: limits, Mock: slices.Contains(f.mocks, name),
		Transport: &http.Transport{TLSClientConfig: trust, DisableCompression: true, Proxy: http.ProxyFromEnvironment},
	}
	if information, err := os.Stat(of.place); err == nil && information.IsDir() {
		return replayed(made, of.place, name, values)
	}
	address, err := url.Parse(of.place)
	switch {
	case err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Host == "":
		return nil, nil, usage.Errorf("--%s must begin with http:// or https:// and name a host, or be the directory of a recording", name)
	case address.User != nil || address.RawQuery != "" || address.Fragment != "":
		return nil, nil, usage.Errorf("--%s must be scheme, host and path only: credentials belong into --%s-values", name, name)
	}
	made.Base = address
	return made, func() {}, nil
}

// replayed serves a recording: what it has no answer to is undecided.
func replayed(made *compare.Service, place, name string, values map[string]string) (*compare.Service, func(), error) {
	recording, err := files.OpenRoot("--"+name, place)
	if err != nil {
		return nil, nil, fmt.Errorf("--%s: %w", name, err)
	}
	server, err := mockserver.New(mockserver.Options{Replay: recording, Profiles: 1, Credentials: recordedKeys(values)})
	if err != nil {
		return nil, nil, fmt.Errorf("--%s %s: %w", name, place, err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, errors.Join(err, server.Close())
	}
	front := &http.Server{Handler: server}
	go func() { _ = front.Serve(listener) }() // it ends when it is closed
	made.Recorded, made.Mock, made.Transport = true, false, &http.Transport{DisableCompression: true, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}}
	made.Base = &url.URL{Scheme: "http", Host: listener.Addr().String()}
	if absolute, err := filepath.Abs(place); err == nil {
		made.Address = absolute
	}
	return made, func() { _ = front.Close(); _ = server.Close() }, nil
}

// recordedKeys are the keys of a service that only plays what another one said.
func recordedKeys(values map[string]string) mockserver.Credentials {
	return mockserver.Credentials{Companies: []mockserver.Company{{
		Key: values["company_key"], Applications: []mockserver.Application{{Key: values["api_key"]}},
		Projects: []mockserver.Project{{Key: values["project_key"], Tokens: []string{values["token"]}}},
	}}}
}

// sideValues are those of the demo, and those of a file instead.
func sideValues(flag, name string) (map[string]string, error) {
	values := compare.DemoValues()
	if name == "" {
		return values, nil
	}
	const limit = 1 << 20
	text, err := files.ReadBounded(flag, name, limit)
	if err != nil {
		return nil, err
	}
	read := map[string]string{}
	if err := yaml.Unmarshal(text, &read); err != nil {
		return nil, usage.Errorf("%s %s: it must be names with texts, such as company_key: ..., and is not", flag, name) // the error would quote it
	}
	for name, value := range read {
		if strings.TrimSpace(value) == "" {
			return nil, usage.Errorf("%s: %s is empty", flag, name)
		}
		values[name] = value
	}
	return values, nil
}
