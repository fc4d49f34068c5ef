// The steps of steps.ts with the client that oapi-codegen generates.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	"example.com/cspm-example/dist/oapiclient"
	"github.com/google/uuid"
)

// Repeats requests that were refused because of a limit or an outage, after the time that the server names.
type retrying struct{}

func (retrying) Do(request *http.Request) (*http.Response, error) {
	for attempt := 1; ; attempt++ {
		response, err := http.DefaultClient.Do(request)
		if err != nil || attempt == 5 || (response.StatusCode != 429 && response.StatusCode != 503) {
			return response, err
		}
		// A stream cannot be sent again.
		if request.Body != nil && request.GetBody == nil {
			return response, nil
		}
		pause := retryAfter(response)
		response.Body.Close()
		time.Sleep(pause)
		if request.GetBody != nil {
			request.Body, err = request.GetBody()
			must(err)
		}
	}
}

func retryAfter(response *http.Response) time.Duration {
	seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
	if err != nil {
		return time.Second
	}
	return time.Duration(seconds) * time.Second
}

func main() {
	ctx := context.Background()
	project := os.Getenv("CSPM_PROJECT")
	key := oapiclient.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("X-API-Key", os.Getenv("CSPM_API_KEY"))
		return nil
	})
	client, err := oapiclient.NewClientWithResponses(os.Getenv("CSPM_URL"), key, oapiclient.WithHTTPClient(retrying{}))
	must(err)
	impatient, err := oapiclient.NewClientWithResponses(os.Getenv("CSPM_URL"), key)
	must(err)

	// 1. Create a project. With an Idempotency-Key, a repeated request returns the stored response.
	create := oapiclient.ProjectsCreateJSONRequestBody{Name: project}
	once := &oapiclient.ProjectsCreateParams{IdempotencyKey: unique()}
	created, err := client.ProjectsCreateWithResponse(ctx, once, create)
	must(err)
	repeated, err := client.ProjectsCreateWithResponse(ctx, once, create)
	must(err)
	if created.JSON201 == nil || repeated.JSON201 == nil || created.JSON201.Id != repeated.JSON201.Id {
		panic(string(repeated.Body))
	}
	fmt.Println("project created")

	// 2. Upload NDJSON from a stream.
	file, err := os.Open(os.Getenv("CSPM_INVENTORY"))
	must(err)
	uploaded, err := client.ProjectsUploadInventoryWithBodyWithResponse(ctx, project, nil, "application/x-ndjson", file)
	must(err)
	fmt.Printf("inventory uploaded: %d assets\n", uploaded.JSON201.Assets)

	// 3. Launch a scan, and wait for its end.
	scanned := oapiclient.ScanRequest{Projects: []string{project}, Profile: "full"}
	launched, err := client.ScansLaunchWithResponse(ctx, &oapiclient.ScansLaunchParams{IdempotencyKey: unique()}, scanned)
	must(err)
	scan := launched.JSON202
	for scan.Status == oapiclient.ScanStatusQueued || scan.Status == oapiclient.ScanStatusRunning {
		time.Sleep(500 * time.Millisecond)
		reply, err := client.ScansGetWithResponse(ctx, scan.Id, nil)
		must(err)
		scan = reply.JSON200
	}
	fmt.Println("scan", scan.Status)

	// 4. Read all findings. NextCursor is nil on the last page.
	limit, pages, ids := 20, 0, map[uuid.UUID]bool{}
	params := oapiclient.FindingsListParams{Scan: &scan.Id, Limit: &limit}
	for more := true; more; more = params.Cursor != nil {
		reply, err := client.FindingsListWithResponse(ctx, &params)
		must(err)
		for _, finding := range reply.JSON200.Items {
			ids[finding.Id] = true
		}
		pages++
		params.Cursor = reply.JSON200.NextCursor
	}
	fmt.Printf("findings read: %d on %d pages\n", len(ids), pages)

	// 5. Problems have a code, which does not change between releases.
	duplicate, err := client.ProjectsCreateWithResponse(ctx, nil, create)
	must(err)
	fmt.Println("duplicate project:", duplicate.StatusCode(), duplicate.ApplicationproblemJSON409.Code)
	missing, err := client.FindingsGetWithResponse(ctx, uuid.New(), nil)
	must(err)
	fmt.Println("missing finding:", missing.StatusCode(), missing.ApplicationproblemJSON404.Code)

	// 6. Exhaust a limit, and wait for as long as Retry-After says.
	for {
		reply, err := impatient.PreflightRunWithResponse(ctx, nil, scanned)
		must(err)
		if problem := reply.ApplicationproblemJSON429; problem != nil {
			fmt.Println("limit exhausted:", reply.StatusCode(), problem.Code)
			break
		}
	}
	reply, err := client.PreflightRunWithResponse(ctx, nil, scanned)
	must(err)
	fmt.Println("after Retry-After:", reply.StatusCode())
}

func unique() *string {
	key := uuid.NewString()
	return &key
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
