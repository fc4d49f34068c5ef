package example;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import cspm.ApiClient;
import cspm.ApiException;
import cspm.api.FindingsApi;
import cspm.api.PreflightApi;
import cspm.api.ProjectsApi;
import cspm.api.ScansApi;
import cspm.model.FindingPage;
import cspm.model.ProjectsCreateRequest;
import cspm.model.Scan;
import cspm.model.ScanRequest;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The steps of steps.ts with the client that openapi-generator generates (library `native`). */
public final class Main {
  private static final ObjectMapper JSON = new ObjectMapper();

  interface Call<T> {
    T send() throws ApiException;
  }

  /** Repeats a request that was refused because of a limit or an outage, after the time that the server names. */
  static <T> T retried(Call<T> call) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try {
        return call.send();
      } catch (ApiException refusal) {
        boolean temporary = refusal.getCode() == 429 || refusal.getCode() == 503;
        if (!temporary || attempt == 5) throw refusal;
        Thread.sleep(refusal.getResponseHeaders().firstValueAsLong("Retry-After").orElse(attempt) * 1000);
      }
    }
  }

  /** Status and code of a refusal. */
  static String refusal(Call<?> call) throws Exception {
    try {
      call.send();
      return "accepted";
    } catch (ApiException refusal) {
      JsonNode problem = JSON.readTree(refusal.getResponseBody());
      return refusal.getCode() + " " + problem.get("code").asText();
    }
  }

  public static void main(String[] arguments) throws Exception {
    String url = System.getenv("CSPM_URL");
    String project = System.getenv("CSPM_PROJECT");
    String apiKey = System.getenv("CSPM_API_KEY");
    ApiClient client = new ApiClient();
    client.updateBaseUri(url);
    client.setRequestInterceptor(request -> request.header("X-API-Key", apiKey));
    ProjectsApi projects = new ProjectsApi(client);
    ScansApi scans = new ScansApi(client);
    FindingsApi findings = new FindingsApi(client);
    PreflightApi preflight = new PreflightApi(client);

    // 1. Create a project. With an Idempotency-Key, a repeated request returns the stored response.
    ProjectsCreateRequest create = new ProjectsCreateRequest().name(project);
    String key = UUID.randomUUID().toString();
    UUID created = retried(() -> projects.projectsCreate(create, null, null, key)).getId();
    UUID repeated = retried(() -> projects.projectsCreate(create, null, null, key)).getId();
    if (!created.equals(repeated)) throw new IllegalStateException("created twice");
    System.out.println("project created");

    // 2. Upload NDJSON. The generated method sends JSON only, so this uses its HTTP client, which streams the file.
    HttpRequest upload =
        HttpRequest.newBuilder(URI.create(url + "/projects/" + project + "/inventory"))
            .header("X-API-Key", apiKey)
            .header("Content-Type", "application/x-ndjson")
            .PUT(HttpRequest.BodyPublishers.ofFile(Path.of(System.getenv("CSPM_INVENTORY"))))
            .build();
    HttpResponse<String> uploaded =
        client.getHttpClient().send(upload, HttpResponse.BodyHandlers.ofString());
    if (uploaded.statusCode() != 201) throw new IllegalStateException(uploaded.body());
    int assets = JSON.readTree(uploaded.body()).get("assets").asInt();
    System.out.println("inventory uploaded: " + assets + " assets");

    // 3. Launch a scan, and wait for its end.
    ScanRequest request = new ScanRequest().projects(List.of(project)).profile("full");
    String launch = UUID.randomUUID().toString();
    Scan scan = retried(() -> scans.scansLaunch(request, null, null, launch));
    UUID id = scan.getId();
    while (List.of("queued", "running").contains(scan.getStatus().toString())) {
      Thread.sleep(500);
      scan = retried(() -> scans.scansGet(id, null, null, null));
    }
    System.out.println("scan " + scan.getStatus());

    // 4. Read all findings. nextCursor is null on the last page.
    Set<UUID> ids = new HashSet<>();
    int pages = 0;
    String cursor = null;
    do {
      String from = cursor;
      FindingPage page =
          retried(
              () ->
                  findings.findingsList(
                      FindingsApi.APIFindingsListRequest.newBuilder().limit(20).cursor(from).scan(id).build()));
      page.getItems().forEach(finding -> ids.add(finding.getId()));
      pages++;
      cursor = page.getNextCursor();
    } while (cursor != null);
    System.out.println("findings read: " + ids.size() + " on " + pages + " pages");

    // 5. Problems have a code, which does not change between releases.
    System.out.println(
        "duplicate project: " + refusal(() -> projects.projectsCreate(create, null, null, null)));
    System.out.println(
        "missing finding: " + refusal(() -> findings.findingsGet(UUID.randomUUID(), null, null, null)));

    // 6. Exhaust a limit, and wait for as long as Retry-After says.
    String limited = "accepted";
    while (limited.equals("accepted")) {
      limited = refusal(() -> preflight.preflightRun(request, null, null));
    }
    System.out.println("limit exhausted: " + limited);
    int status = retried(() -> preflight.preflightRunWithHttpInfo(request, null, null)).getStatusCode();
    System.out.println("after Retry-After: " + status);
  }
}
