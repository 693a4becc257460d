// A client that openapi-generator made asks for the userbase, looks it up until it is finished, and downloads its file.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"generated/client"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("MOCK")}}
	ctx = context.WithValue(ctx, client.ContextAPIKeys, map[string]client.APIKey{"companyKey": {Key: "rest_demo"}})
	exports := client.NewAPIClient(configuration).LegacyExportsAPI
	created, _, err := exports.UserbaseCreate(ctx, "live_demo").LegacyUserbaseRequest(*client.NewLegacyUserbaseRequest([]string{"custom_id"})).Execute()
	if err != nil {
		log.Fatal("creating: ", err)
	}
	for {
		record, _, err := exports.LegacyStatus(ctx, "live_demo", created.RequestId).Execute()
		switch {
		case err != nil:
			log.Fatal("looking up: ", err)
		case record.Status == "ERROR":
			log.Fatal("the export failed: ", record.GetErrorMsg())
		case record.Status == "SUCCESS":
			lines, err := count(record.GetFileUrl())
			if err != nil {
				log.Fatal("downloading: ", err)
			}
			fmt.Println("userbase, by openapi-generator in Go:", lines, "lines")
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func count(link string) (lines int, err error) {
	answer, err := http.Get(link)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	scanner := bufio.NewScanner(answer.Body)
	for scanner.Scan() {
		lines++
	}
	return lines, scanner.Err()
}
