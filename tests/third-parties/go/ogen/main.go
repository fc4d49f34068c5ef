// The steps of steps.ts with the client that ogen generates.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	api "example.com/cspm-example/dist/ogenclient"
	"github.com/google/uuid"
	"github.com/ogen-go/ogen/ogenerrors"
)

type credentials struct{}

func (credentials) ApiKey(context.Context, api.OperationName) (api.ApiKey, error) {
	return api.ApiKey{APIKey: os.Getenv("CSPM_API_KEY")}, nil
}

func (credentials) BearerAuth(context.Context, api.OperationName) (api.BearerAuth, error) {
	return api.BearerAuth{}, ogenerrors.ErrSkipClientSecurity
}

func (credentials) MasterKey(context.Context, api.OperationName) (api.MasterKey, error) {
	return api.MasterKey{}, ogenerrors.ErrSkipClientSecurity
}

// Repeats a request that was refused because of a limit, after the time that the server names. T is the expected type.
func retried[T any, R any](send func() (R, error)) T {
	for attempt := 1; ; attempt++ {
		reply, err := send()
		must(err)
		if expected, ok := any(reply).(T); ok {
			return expected
		}
		limited, ok := any(reply).(*api.RateLimitedHeaders)
		if !ok || attempt == 5 {
			panic(fmt.Sprintf("%T %+v", reply, reply))
		}
		time.Sleep(time.Duration(limited.RetryAfter.Or(1)) * time.Second)
	}
}

func main() {
	ctx := context.Background()
	project := os.Getenv("CSPM_PROJECT")
	client, err := api.NewClient(os.Getenv("CSPM_URL"), credentials{})
	must(err)

	// 1. Create a project. With an Idempotency-Key, a repeated request returns the stored response.
	create := func(params api.ProjectsCreateParams) func() (api.ProjectsCreateRes, error) {
		return func() (api.ProjectsCreateRes, error) {
			return client.ProjectsCreate(ctx, &api.ProjectsCreateReq{Name: project}, params)
		}
	}
	once := create(api.ProjectsCreateParams{IdempotencyKey: api.NewOptString(uuid.NewString())})
	created, repeated := retried[*api.ProjectHeaders](once), retried[*api.ProjectHeaders](once)
	if created.Response.ID != repeated.Response.ID {
		panic("the repeated request created another project")
	}
	fmt.Println("project created")

	// 2. Upload NDJSON from a stream.
	file, err := os.Open(os.Getenv("CSPM_INVENTORY"))
	must(err)
	upload := &api.ProjectsUploadInventoryReqApplicationXNdjson{Data: file}
	uploaded, err := client.ProjectsUploadInventory(ctx, upload, api.ProjectsUploadInventoryParams{Name: project})
	must(err)
	fmt.Printf("inventory uploaded: %d assets\n", uploaded.(*api.InventoryHeaders).Response.Assets)

	// 3. Launch a scan, and wait for its end.
	scanned := &api.ScanRequest{Projects: []string{project}, Profile: "full"}
	key := api.NewOptString(uuid.NewString())
	scan := retried[*api.ScanHeaders](func() (api.ScansLaunchRes, error) {
		return client.ScansLaunch(ctx, scanned, api.ScansLaunchParams{IdempotencyKey: key})
	}).Response
	for scan.Status == api.ScanStatusQueued || scan.Status == api.ScanStatusRunning {
		time.Sleep(500 * time.Millisecond)
		scan = retried[*api.ScansGetOKHeaders](func() (api.ScansGetRes, error) {
			return client.ScansGet(ctx, api.ScansGetParams{ID: scan.ID})
		}).Response
	}
	fmt.Println("scan", scan.Status)

	// 4. Read all findings. NextCursor is null on the last page.
	pages, ids := 0, map[uuid.UUID]bool{}
	params := api.FindingsListParams{Scan: api.NewOptUUID(scan.ID), Limit: api.NewOptInt(20)}
	for more := true; more; {
		page := retried[*api.FindingPageHeaders](func() (api.FindingsListRes, error) {
			return client.FindingsList(ctx, params)
		}).Response
		for _, finding := range page.Items {
			ids[finding.ID] = true
		}
		pages++
		more = !page.NextCursor.IsNull()
		params.Cursor = api.NewOptString(page.NextCursor.Or(""))
	}
	fmt.Printf("findings read: %d on %d pages\n", len(ids), pages)

	// 5. Problems have a code, which does not change between releases.
	refused := retried[*api.ConflictKeyInUseHeaders](create(api.ProjectsCreateParams{})).Response
	fmt.Println("duplicate project:", refused.Status, refused.Code)
	missing := retried[*api.NotFoundHeaders](func() (api.FindingsGetRes, error) {
		return client.FindingsGet(ctx, api.FindingsGetParams{ID: uuid.New()})
	}).Response
	fmt.Println("missing finding:", missing.Status, missing.Code)

	// 6. Exhaust a limit, and wait for as long as Retry-After says.
	check := func() (api.PreflightRunRes, error) {
		return client.PreflightRun(ctx, scanned, api.PreflightRunParams{})
	}
	for limited := false; !limited; {
		reply, err := check()
		must(err)
		if refusal, ok := reply.(*api.RateLimitedHeaders); ok {
			fmt.Println("limit exhausted:", refusal.Response.Status, refusal.Response.Code)
			limited = true
		}
	}
	retried[*api.PreflightHeaders](check)
	fmt.Println("after Retry-After: 200")
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
