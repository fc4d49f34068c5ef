import { parseDomFromString } from '@node-saml/node-saml/lib/xml.js';
import type { XmlLimits } from './xml-limits.ts';
import { scanXml } from './xml-scan.ts';

// Uses node-saml's own parser, because signature wrapping exploits two parsers that read the same text differently.
// Loaded only in the XML thread.

/**
 * Parses XML from outside after the streaming pass has enforced the limits.
 * @throws {XmlLimitError} for a document that breaks a limit.
 * @throws {Error} for a document that is not well-formed.
 */
export async function parseXml(xml: string, limits: XmlLimits): Promise<Document> {
  scanXml(xml, limits);
  return parseDomFromString(xml);
}

/** The elements of a document or below an element, in document order, in linear time: no recursion and no XPath. */
export function* elementsOf(top: Node): Generator<Element> {
  let node: Node | null = top.firstChild;
  while (node !== null) {
    if (isElement(node)) yield node;
    node = node.firstChild ?? following(node, top);
  }
}

/** The child elements with this namespace and name. */
export function childrenOf(parent: Node | undefined, namespace: string, name: string): Element[] {
  const found: Element[] = [];
  for (let node = parent?.firstChild ?? null; node !== null; node = node.nextSibling) {
    if (isElement(node) && isNamed(node, namespace, name)) found.push(node);
  }
  return found;
}

export function isNamed(element: Element, namespace: string, name: string): boolean {
  return element.localName === name && element.namespaceURI === namespace;
}

export function attribute(element: Element | undefined, name: string): string | null {
  return element?.hasAttribute(name) === true ? element.getAttribute(name) : null;
}

export function textOf(element: Element | undefined): string | null {
  return element?.textContent?.trim() ?? null;
}

/** The next node in document order that is not below `node`; null when it would be outside `top`. */
function following(node: Node, top: Node): Node | null {
  let from: Node | null = node;
  while (from !== null && from !== top) {
    if (from.nextSibling !== null) return from.nextSibling;
    from = from.parentNode;
  }
  return null;
}

function isElement(node: Node): node is Element {
  return node.nodeType === 1;
}
