// A client that oapi-codegen generated asks for an export of each interface, looks it up until it is finished, and downloads its file.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"generated/client"
)

const pause = 100 * time.Millisecond // a service in production is asked every minute

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	address := os.Getenv("MOCK")
	if err := legacy(ctx, address); err != nil {
		log.Fatal("legacy export: ", err)
	}
	if err := profiles(ctx, address); err != nil {
		log.Fatal("profile export: ", err)
	}
}

// with adds a header to every request.
func with(name, value string) client.ClientOption {
	return client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set(name, value)
		return nil
	})
}

func legacy(ctx context.Context, address string) error {
	exports, err := client.NewClientWithResponses(address, with("X-Authorization", "rest_demo"))
	if err != nil {
		return err
	}
	created, err := exports.UserbaseCreateWithResponse(ctx, "live_demo", client.LegacyUserbaseRequest{
		Ids: []string{"custom_id"},
	})
	if err != nil {
		return err
	}
	if created.JSON202 == nil {
		return fmt.Errorf("%s: %s", created.Status(), created.Body)
	}
	for ; ; time.Sleep(pause) {
		found, err := exports.LegacyStatusWithResponse(ctx, "live_demo", created.JSON202.RequestId)
		if err != nil {
			return err
		}
		switch export := found.JSON200; {
		case export == nil:
			return fmt.Errorf("%s: %s", found.Status(), found.Body)
		case export.Status == client.LegacyExportRecordStatusERROR:
			return errors.New(*export.ErrorMsg)
		case export.Status == client.LegacyExportRecordStatusSUCCESS:
			rows, err := count(ctx, *export.FileUrl)
			fmt.Println("userbase:", rows, "lines")
			return err
		}
	}
}

// count downloads a file. Its link is a credential of its own, and gets no other.
func count(ctx context.Context, link string) (lines int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return 0, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return 0, errors.New(answer.Status)
	}
	scanner := bufio.NewScanner(answer.Body)
	for scanner.Scan() {
		lines++
	}
	return lines, scanner.Err()
}

func profiles(ctx context.Context, address string) error {
	// The link that a file redirects to is asked for without the token.
	stay := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	exports, err := client.NewClientWithResponses(address, client.WithHTTPClient(stay),
		with("Authorization", "Bearer token_demo"), with("X-Service-Project", "project_demo"))
	if err != nil {
		return err
	}
	var request client.ProfilesCreateRequest
	if err := request.FromProfilesAttributesRequest(client.ProfilesAttributesRequest{
		ExportType: client.ProfilesAttributesRequestExportTypeATTRIBUTES,
		Attributes: &[]string{"$email_address", "$language"},
	}); err != nil {
		return err
	}
	created, err := exports.ProfilesCreateWithResponse(ctx, request)
	if err != nil {
		return err
	}
	if created.JSON202 == nil {
		return fmt.Errorf("%s: %s", created.Status(), created.Body)
	}
	for ; ; time.Sleep(pause) {
		found, err := exports.ProfilesViewWithResponse(ctx, &client.ProfilesViewParams{Id: created.JSON202.Id})
		if err != nil {
			return err
		}
		switch export := found.JSON200; {
		case export == nil:
			return fmt.Errorf("%s: %s", found.Status(), found.Body)
		case export.Status == client.ProfilesExportRecordStatusERROR:
			return errors.New(*export.ErrorMessage)
		case export.Status == client.ProfilesExportRecordStatusSUCCESS:
			total := 0
			for _, file := range *export.Files {
				part, err := read(ctx, exports, file.Id)
				if err != nil {
					return err
				}
				total += len(part)
			}
			fmt.Println("profiles:", total)
			return nil
		}
	}
}

// read downloads a part of the profiles.
func read(ctx context.Context, exports *client.ClientWithResponses, file string) ([]client.ProfilesAttributesOutputItem, error) {
	redirect, err := exports.ProfilesDownloadWithResponse(ctx, &client.ProfilesDownloadParams{Id: file})
	if err != nil {
		return nil, err
	}
	if redirect.Headers307 == nil {
		return nil, fmt.Errorf("%s: %s", redirect.Status(), redirect.Body)
	}
	answer, err := http.Get(redirect.Headers307.Location)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var part []client.ProfilesAttributesOutputItem
	return part, json.NewDecoder(answer.Body).Decode(&part)
}
