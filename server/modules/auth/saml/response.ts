import { attribute, childrenOf, elementsOf, isNamed, parseXml, textOf } from './xml.ts';
import { RESPONSE_LIMITS } from './xml-limits.ts';

const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/**
 * Accepted signature algorithms and transforms. SHA-1 is excluded, and so is every transform that could drop content.
 */
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

/** A response whose form is accepted but whose signature is not verified: do not trust its content yet. */
export interface UnverifiedResponse {
  readonly xml: string;
  /** The `InResponseTo` attribute. */
  readonly requestId: string;
  readonly destination: string;
  /** The issuer stated outside the assertion, if any. */
  readonly issuer: string | null;
  /** Whether the response itself is signed, in addition to its assertion. */
  readonly signed: boolean;
}

/**
 * Parses a SAML response (SAML 2.0 Core §3.2.2, Bindings §3.5) and refuses forms that enable signature wrapping and
 * that no honest provider sends: a second assertion anywhere, a repeated id, a signature elsewhere than on the response
 * or its assertion, a second reference or a third transform, a weak algorithm, encryption.
 * @throws {Error} that names the refused form.
 */
export async function readResponse(xml: string): Promise<UnverifiedResponse> {
  const document = await parseXml(xml, RESPONSE_LIMITS);
  const found = sortElements(document);
  const [response, ...responses] = found.named('Response');
  const [assertion, ...assertions] = found.named('Assertion');
  demand(responses.length === 0 && response === document.documentElement, 'one response');
  demand(response !== undefined && isNamed(response, PROTOCOL, 'Response'), 'one response');
  demand(assertions.length === 0 && assertion !== undefined, 'one assertion');
  demand(assertion === childrenOf(response, ASSERTION, 'Assertion')[0], 'its assertion in place');
  demand(!found.encrypted, 'no cipher');
  demand(found.idsAreUnique, 'every id once');
  const signatures = found.named('Signature');
  const ofAssertion = signatures.filter((signature) => signature.parentNode === assertion);
  const ofResponse = signatures.filter((signature) => signature.parentNode === response);
  demand(ofAssertion.length === 1 && ofResponse.length <= 1, 'a signed assertion');
  demand(ofAssertion.length + ofResponse.length === signatures.length, 'no other signature');
  demandPlainSignatures(found, signatures.length);
  const [status, ...statuses] = childrenOf(response, PROTOCOL, 'Status').flatMap((element) =>
    childrenOf(element, PROTOCOL, 'StatusCode'),
  );
  demand(statuses.length === 0 && attribute(status, 'Value') === SUCCESS, 'success');
  const requestId = attribute(response, 'InResponseTo');
  const destination = attribute(response, 'Destination');
  if (!requestId || !destination)
    throw new Error('The response has no InResponseTo or Destination');
  const [issuer] = childrenOf(response, ASSERTION, 'Issuer');
  return { xml, requestId, destination, issuer: textOf(issuer), signed: ofResponse.length === 1 };
}

/** What one walk over the document collects. Local names are compared and namespaces ignored. */
interface Found {
  named(localName: string): readonly Element[];
  readonly encrypted: boolean;
  readonly idsAreUnique: boolean;
}

function sortElements(document: Document): Found {
  const byName = new Map<string, Element[]>();
  const ids = new Set<string>();
  let idCount = 0;
  let encrypted = false;
  for (const element of elementsOf(document)) {
    const alike = byName.get(element.localName);
    if (alike === undefined) byName.set(element.localName, [element]);
    else alike.push(element);
    encrypted ||= element.localName.startsWith('Encrypted');
    for (const { localName, value } of Array.from(element.attributes)) {
      // xml-crypto accepts any of these as an id, in any namespace.
      if (localName !== 'ID' && localName !== 'Id' && localName !== 'id') continue;
      ids.add(value);
      idCount += 1;
    }
  }
  const named = (localName: string) => byName.get(localName) ?? [];
  return { named, encrypted, idsAreUnique: ids.size === idCount };
}

/**
 * Requires one reference and at most two transforms per signature, so that responses of one size cost the same to
 * verify.
 */
function demandPlainSignatures(found: Found, signatures: number): void {
  demand(found.named('SignedInfo').length === signatures, 'one SignedInfo in each signature');
  demand(found.named('Reference').length === signatures, 'one Reference in each signature');
  demand(found.named('Transform').length <= 2 * signatures, 'two Transforms in each signature');
  for (const [name, allowed] of Object.entries(ALGORITHMS)) {
    const fit = found
      .named(name)
      .every(
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
