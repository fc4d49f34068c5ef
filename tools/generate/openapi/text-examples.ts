/** An example of a component of the document, by its name. */
type ExampleOf = (component: string) => unknown;

/** Examples of bodies that are not JSON and so cannot be composed from parts, by operation and media type. */
const TEXTS: Readonly<Record<string, (exampleOf: ExampleOf) => string>> = {
  'metaDocs text/html': () => '<!doctype html>\n<title>Cloud security posture API</title>\n',
  'samlMetadata application/samlmetadata+xml': () =>
    '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://posture.example.com/auth/saml/metadata?tenant=0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27"/>\n',
  'auditEventsExport application/x-ndjson': (exampleOf) => lines(exampleOf('AuditEvent')),
  'projectsUploadInventory application/x-ndjson': (exampleOf) => lines(exampleOf('AssetRecord')),
  'findingsExport application/x-ndjson': (exampleOf) => lines(exampleOf('Finding')),
  'findingsExport text/csv': () => CSV,
  'scansReport text/html': () => '<!doctype html>\n<title>Security posture report</title>\n',
  'scansReport application/pdf': () => '%PDF-1.3\n',
  'scansReport text/csv': () => REPORT_CSV,
  'scansEvents text/event-stream': (exampleOf) => {
    const scan = JSON.stringify(exampleOf('Scan'));
    return `event: progress\nid: 1\ndata: ${scan}\n\nevent: done\nid: 2\ndata: ${scan}\n\n`;
  },
};

/** @returns undefined for JSON, and if no example is defined. */
export function textExample(
  operationId: string,
  mediaType: string,
  exampleOf: ExampleOf,
): string | undefined {
  return TEXTS[`${operationId} ${mediaType}`]?.(exampleOf);
}

function lines(...records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** A requirement of a report, as the server formats it. */
const REPORT_CSV = [
  '"framework","requirement","title","section","assessment","status","passed","failed","notApplicable","undecided","rules","missing","scan"',
  '"cis-gcp-4.0","5.1","No bucket is public","Storage","automated","fail","11","1","0","0","bucket-public","","0199c2a4-9b60-7d41-a3f2-58c1e7d90b36"',
  '',
].join('\r\n');

/** The example of a finding, as the scanner formats it. */
const CSV = [
  '"id","fingerprint","ruleId","title","severity","status","delta","project","assetName","assetType","subject","message","evidence","remediation","compliance","firstSeenAt","lastSeenAt","resolvedAt","resolvedReason","mutedReason","mutedUntil"',
  '"0199c2a4-9b60-7d41-a3f2-58c1e7d90b36","3b1f0c5f6c2f8d1f7a9be5a4c0d2e6f8901a2b3c4d5e6f708192a3b4c5d6e7f8","bucket-public","Bucket is public","high","open","unchanged","shop-prod","//storage.googleapis.com/shop-uploads","storage.googleapis.com/Bucket","roles/storage.objectViewer allUsers","allUsers has roles/storage.objectViewer on this bucket.","[{""path"":""iam_policy.bindings[0].members"",""value"":""allUsers""}]","Remove the grant, then enforce public access prevention.","cis-gcp-4.0 5.1","2026-11-13T08:00:00.000Z","2026-11-20T08:00:00.000Z","","","",""',
  '',
].join('\r\n');
