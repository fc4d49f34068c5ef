import { parseDomFromString, xpath } from '@node-saml/node-saml/lib/xml.js';

// The parser of node-saml itself, so that what is checked here is what it verifies: two parsers that read one text
// differently are how signatures get wrapped. This file loads it, and is itself loaded when SAML is first used.

/**
 * Parses XML that came from outside.
 * @throws {Error} for what is not well-formed, and for any document type: no message or metadata of SAML has one, and
 * entities are where the trouble begins (XXE, billion laughs).
 */
export async function parseXml(xml: string): Promise<Document> {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) throw new Error('XML with a document type is not read');
  return parseDomFromString(xml);
}

/** Elements by an XPath expression. There are no prefixes in it: say `*[local-name()='X']`, or use `named`. */
export function elements(node: Node, path: string): Element[] {
  return xpath.selectElements(node, path);
}

/** A step of an XPath expression: elements of that name and namespace. */
export function named(namespace: string, name: string): string {
  return `*[local-name()='${name}' and namespace-uri()='${namespace}']`;
}

export function attribute(element: Element | undefined, name: string): string | null {
  return element?.hasAttribute(name) === true ? element.getAttribute(name) : null;
}

export function textOf(element: Element | undefined): string | null {
  return element?.textContent?.trim() ?? null;
}
