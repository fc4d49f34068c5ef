/** An example of a component of the document, by its name. */
type ExampleOf = (component: string) => unknown;

/**
 * What is sent or received that is no JSON has no parts to put an example together from: here it is written out, by
 * operation and media type.
 */
const TEXTS: Readonly<Record<string, (exampleOf: ExampleOf) => string>> = {
  'metaDocs text/html': () => '<!doctype html>\n<title>Cloud security posture API</title>\n',
  'samlMetadata application/samlmetadata+xml': () =>
    '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://posture.example.com/auth/saml/metadata?tenant=0199c2a4-51d2-7e02-8b0c-6f1d0c3a9e27"/>\n',
  'auditEventsExport application/x-ndjson': (exampleOf) => lines(exampleOf('AuditEvent')),
  'projectsUploadInventory application/x-ndjson': (exampleOf) => lines(exampleOf('AssetRecord')),
  'findingsExport application/x-ndjson': (exampleOf) => lines(exampleOf('Finding')),
  'findingsExport application/sarif+json': () =>
    '{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[]}\n',
  'findingsExport text/csv': () =>
    'id,project,ruleId,severity,status\r\n0199c2a4-9b60-7d41-a3f2-58c1e7d90b36,shop-prod,bucket-public,critical,open\r\n',
  'scansEvents text/event-stream': (exampleOf) => {
    const scan = JSON.stringify(exampleOf('Scan'));
    return `event: progress\nid: 1\ndata: ${scan}\n\nevent: done\nid: 2\ndata: ${scan}\n\n`;
  },
};

/** @returns undefined for JSON, and for what nobody has written an example of yet. */
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
