//! The steps of steps.ts with the client that progenitor generates.

#[allow(warnings)]
mod cspm {
    include!(concat!(env!("OUT_DIR"), "/client.rs"));
}

use cspm::types::{FindingsListCursor, Inventory, Problem, ProjectsCreateBody, ScanRequest};
use cspm::{Client, Error, ResponseValue};
use std::{collections::HashSet, env, error::Error as StdError, future::Future, num::NonZeroU64, time::Duration};
use tokio::time::sleep;
use uuid::Uuid;

const PAGE_SIZE: NonZeroU64 = NonZeroU64::new(20).unwrap();

type Reply<T> = Result<ResponseValue<T>, Error<Problem>>;

fn setting(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

/// How long the server asks to wait, if it refused a request because of a limit or an outage.
fn retry_after<T>(reply: &Reply<T>) -> Option<Duration> {
    let Err(Error::ErrorResponse(refusal)) = reply else { return None };
    if !matches!(refusal.status().as_u16(), 429 | 503) {
        return None;
    }
    let seconds = refusal.headers().get("Retry-After").and_then(|value| value.to_str().ok()?.parse().ok());
    Some(Duration::from_secs(seconds.unwrap_or(1)))
}

/// Repeats a refused request after that time.
async fn retried<T, F: Future<Output = Reply<T>>>(send: impl Fn() -> F) -> Reply<T> {
    for _ in 1..5 {
        let reply = send().await;
        match retry_after(&reply) {
            Some(pause) => sleep(pause).await,
            None => return reply,
        }
    }
    send().await
}

/// Status and code of a refusal.
fn refusal<T>(reply: Reply<T>) -> String {
    match reply {
        Err(Error::ErrorResponse(refusal)) => format!("{} {}", refusal.status().as_u16(), refusal.code),
        Err(error) => error.to_string(),
        Ok(_) => "accepted".into(),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn StdError>> {
    let (url, project) = (setting("CSPM_URL"), setting("CSPM_PROJECT"));
    let mut headers = reqwest::header::HeaderMap::new();
    headers.insert("X-API-Key", setting("CSPM_API_KEY").parse()?);
    let http = reqwest::Client::builder().default_headers(headers).build()?;
    let client = Client::new_with_client(&url, http.clone());

    // 1. Create a project. With an Idempotency-Key, a repeated request returns the stored response.
    let create: ProjectsCreateBody = serde_json::from_value(serde_json::json!({ "name": project }))?;
    let key = Uuid::new_v4().to_string();
    let created = retried(|| client.projects_create().idempotency_key(key.as_str()).body(create.clone()).send()).await?;
    let repeated = retried(|| client.projects_create().idempotency_key(key.as_str()).body(create.clone()).send()).await?;
    assert_eq!(created.id, repeated.id);
    println!("project created");

    // 2. Upload NDJSON. The generated function sends JSON only, so this uses its HTTP client.
    let uploaded: Inventory = http
        .put(format!("{url}/projects/{project}/inventory"))
        .header("Content-Type", "application/x-ndjson")
        .body(std::fs::read(setting("CSPM_INVENTORY"))?)
        .send()
        .await?
        .error_for_status()?
        .json()
        .await?;
    println!("inventory uploaded: {} assets", uploaded.assets);

    // 3. Launch a scan, and wait for its end.
    let request: ScanRequest = serde_json::from_value(serde_json::json!({ "projects": [project], "profile": "full" }))?;
    let key = Uuid::new_v4().to_string();
    let launch = || client.scans_launch().idempotency_key(key.as_str()).body(request.clone()).send();
    let mut scan = retried(launch).await?.into_inner();
    while matches!(scan.status.to_string().as_str(), "queued" | "running") {
        sleep(Duration::from_millis(500)).await;
        scan = retried(|| client.scans_get().id(scan.id).send()).await?.into_inner();
    }
    println!("scan {}", scan.status);

    // 4. Read all findings. next_cursor is null on the last page.
    let (mut ids, mut pages) = (HashSet::new(), 0);
    let mut cursor: Option<FindingsListCursor> = None;
    loop {
        let page = retried(|| {
            let list = client.findings_list().scan(scan.id).limit(PAGE_SIZE);
            match &cursor {
                Some(next) => list.cursor(next.clone()).send(),
                None => list.send(),
            }
        })
        .await?
        .into_inner();
        ids.extend(page.items.iter().map(|finding| finding.id));
        pages += 1;
        let Some(next) = page.next_cursor else { break };
        cursor = Some(next.parse()?);
    }
    println!("findings read: {} on {pages} pages", ids.len());

    // 5. Problems have a code, which does not change between releases.
    println!("duplicate project: {}", refusal(client.projects_create().body(create).send().await));
    println!("missing finding: {}", refusal(client.findings_get().id(Uuid::new_v4()).send().await));

    // 6. Exhaust a limit, and wait for as long as Retry-After says.
    let limited = loop {
        let reply = client.preflight_run().body(request.clone()).send().await;
        if reply.is_err() {
            break reply;
        }
    };
    let pause = retry_after(&limited).unwrap_or_default();
    println!("limit exhausted: {}", refusal(limited));
    sleep(pause).await;
    let accepted = client.preflight_run().body(request.clone()).send().await?;
    println!("after Retry-After: {}", accepted.status().as_u16());
    Ok(())
}
