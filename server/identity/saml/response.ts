import { attribute, elements, named, parseXml, textOf } from './xml.ts';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** What signatures may be made of. Nothing with SHA-1 is in it, and no transform that could leave anything out. */
const ALGORITHMS: Record<string, readonly string[]> = {
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  ],
  DigestMethod: [
    'http://www.w3.org/2001/04/xmlenc#sha256',
    'http://www.w3.org/2001/04/xmlenc#sha512',
  ],
  CanonicalizationMethod: [
    'http://www.w3.org/2001/10/xml-exc-c14n#',
    'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  ],
  Transform: [
    'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
    'http://www.w3.org/2001/10/xml-exc-c14n#',
    'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  ],
};

/** A response of the one form that we take, before any signature is verified: nothing in it is to be believed yet. */
export interface UnverifiedResponse {
  /** In base64, as it came. */
  readonly encoded: string;
  /** The request that it says it answers. */
  readonly requestId: string;
  readonly destination: string;
  /** Whoever it says it is from, if it says that outside of the assertion. */
  readonly issuer: string | null;
  /** Whether it is signed as a whole besides. */
  readonly signed: boolean;
}

/**
 * Reads a SAML response (SAML 2.0 Core §3.2.2, Bindings §3.5) and refuses every form that an honest provider does not
 * send: a second assertion anywhere, an id twice, a signature elsewhere than on the response or its assertion, a weak
 * algorithm, encryption. Signature wrapping needs one of these.
 * @throws {Error} that says which.
 */
export async function readResponse(encoded: string): Promise<UnverifiedResponse> {
  const document = await parseXml(decode(encoded));
  const [response, ...responses] = elements(document, "//*[local-name()='Response']");
  const [assertion, ...assertions] = elements(document, "//*[local-name()='Assertion']");
  const [expected] = elements(document, `/${named(PROTOCOL, 'Response')}`);
  const [contained] = elements(document, `/*/${named(ASSERTION, 'Assertion')}`);
  demand(responses.length === 0 && response !== undefined && response === expected, 'one response');
  demand(assertions.length === 0 && assertion !== undefined, 'one assertion');
  demand(assertion === contained, 'the assertion where it belongs');
  demand(
    elements(document, "//*[starts-with(local-name(), 'Encrypted')]").length === 0,
    'no cipher',
  );
  demandUniqueIds(document);
  const signatures = elements(document, "//*[local-name()='Signature']");
  const ofAssertion = signatures.filter((signature) => signature.parentNode === assertion);
  const ofResponse = signatures.filter((signature) => signature.parentNode === response);
  demand(ofAssertion.length === 1 && ofResponse.length <= 1, 'a signed assertion');
  demand(ofAssertion.length + ofResponse.length === signatures.length, 'no other signature');
  demandAlgorithms(document);
  const status = elements(
    document,
    `/*/${named(PROTOCOL, 'Status')}/${named(PROTOCOL, 'StatusCode')}`,
  );
  demand(status.length === 1 && attribute(status[0], 'Value') === SUCCESS, 'success');
  const requestId = attribute(response, 'InResponseTo');
  const destination = attribute(response, 'Destination');
  if (!requestId || !destination) throw new Error('The response lacks InResponseTo or Destination');
  const [issuer] = elements(document, `/*/${named(ASSERTION, 'Issuer')}`);
  return {
    encoded,
    requestId,
    destination,
    issuer: textOf(issuer),
    signed: ofResponse.length === 1,
  };
}

function decode(encoded: string): string {
  const packed = encoded.replaceAll(/[\r\n\t ]/g, '');
  demand(/^[A-Za-z0-9+/]+={0,2}$/.test(packed), 'base64');
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(packed, 'base64'));
}

function demandUniqueIds(document: Document): void {
  const ids = elements(document, '//*[@ID or @Id or @id]').flatMap((element) =>
    ['ID', 'Id', 'id'].flatMap((name) => attribute(element, name) ?? []),
  );
  demand(new Set(ids).size === ids.length, 'every id once');
}

function demandAlgorithms(document: Document): void {
  for (const [name, allowed] of Object.entries(ALGORITHMS)) {
    const used = elements(document, `//*[local-name()='${name}']`);
    const fit = used.every(
      (method) =>
        method.namespaceURI === SIGNATURES &&
        allowed.includes(attribute(method, 'Algorithm') ?? ''),
    );
    demand(fit, `a ${name} that is strong`);
  }
}

function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(`The response must have ${what}`);
}
