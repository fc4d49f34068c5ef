import { SaxesParser, type SaxesTagNS } from 'saxes';
import { MAX_PROLOG_LENGTH, type XmlLimits } from './xml-limits.ts';

/**
 * A document breaks a limit. The message names the limit; prefix it with the name of the document to get a sentence.
 */
export class XmlLimitError extends Error {
  override readonly name = 'XmlLimitError';
}

/** The root element of a document. Nothing in it is verified. */
export interface XmlRoot {
  readonly namespace: string;
  readonly localName: string;
  /** Values of the attributes that have no prefix, by name. */
  readonly attributes: ReadonlyMap<string, string>;
}

/**
 * Checks in one linear pass, without a tree, that a document is well-formed XML 1.0 with namespaces, has no document type
 * and no processing instruction, and stays within the limits. Stops at the first fault.
 * @throws {XmlLimitError} for a document that breaks a limit.
 * @throws {Error} for a document that is not well-formed.
 */
export function scanXml(xml: string, limits: XmlLimits): void {
  atMost(Buffer.byteLength(xml), limits.bytes, 'bytes');
  const count = new XmlCount(limits);
  const parser = newParser();
  parser.on('opentagstart', ({ name }) => count.openTag(name));
  parser.on('attribute', ({ name, prefix, value }) => count.attribute(name, prefix, value));
  parser.on('closetag', () => count.closeTag());
  parser.on('text', (text) => count.text(text));
  parser.on('comment', (text) => count.comment(text));
  parser.on('cdata', (text) => count.cdata(text));
  parser.write(xml).close();
}

/**
 * Reads the root element only, so the cost does not depend on the length of the document.
 * @returns null when the text does not start as a well-formed document whose first tag ends within 8 KiB.
 */
export function readXmlRoot(xml: string): XmlRoot | null {
  const parser = newParser();
  const found: { root: XmlRoot | null } = { root: null };
  parser.on('opentag', (tag) => {
    found.root = rootFrom(tag);
    throw STOP;
  });
  try {
    parser.write(xml.slice(0, MAX_PROLOG_LENGTH));
  } catch {
    // Either STOP, or a syntax error before the root was complete, which leaves `found` empty.
  }
  return found.root;
}

/** Thrown to end a pass early; the parser cannot be stopped in another way. */
const STOP = new Error('The root element is read');

type Parser = SaxesParser<{ xmlns: true; position: false }>;

function newParser(): Parser {
  const parser: Parser = new SaxesParser({ xmlns: true, position: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new XmlLimitError('has a document type');
  });
  parser.on('processinginstruction', () => {
    throw new XmlLimitError('has a processing instruction');
  });
  return parser;
}

function rootFrom({ uri, local, attributes }: SaxesTagNS): XmlRoot {
  const plain = Object.values(attributes).filter(({ prefix }) => prefix === '');
  const values = new Map(plain.map((attribute) => [attribute.local, attribute.value]));
  return { namespace: uri, localName: local, attributes: values };
}

/** Running counts for one document. */
class XmlCount {
  readonly #limits: XmlLimits;
  #elements = 0;
  #attributes = 0;
  #namespaces = 0;
  #texts = 0;
  #comments = 0;
  #cdataSections = 0;
  /** Attributes of the tag that is open now. */
  #attributesOfTag = 0;
  /** For each open element, the namespace declarations on it and its ancestors. */
  readonly #inScope: number[] = [];

  constructor(limits: XmlLimits) {
    this.#limits = limits;
  }

  openTag(name: string): void {
    this.#elements += 1;
    this.#attributesOfTag = 0;
    this.#inScope.push(this.#inScope.at(-1) ?? 0);
    atMost(this.#elements, this.#limits.elements, 'elements');
    atMost(this.#inScope.length, this.#limits.depth, 'levels of elements');
    atMost(name.length, this.#limits.nameLength, 'characters in a name');
  }

  attribute(name: string, prefix: string, value: string): void {
    this.#attributes += 1;
    this.#attributesOfTag += 1;
    atMost(this.#attributes, this.#limits.attributes, 'attributes');
    atMost(this.#attributesOfTag, this.#limits.attributesPerElement, 'attributes on one element');
    atMost(name.length, this.#limits.nameLength, 'characters in a name');
    atMost(value.length, this.#limits.valueLength, 'characters in an attribute value');
    if (prefix === 'xmlns' || name === 'xmlns') this.#namespace();
  }

  closeTag(): void {
    this.#inScope.pop();
  }

  text(text: string): void {
    this.#texts += 1;
    atMost(this.#texts, this.#limits.texts, 'runs of text');
    atMost(text.length, this.#limits.textLength, 'characters in one text');
  }

  comment(text: string): void {
    this.#comments += 1;
    atMost(this.#comments, this.#limits.comments, 'comments');
    atMost(text.length, this.#limits.textLength, 'characters in one comment');
  }

  cdata(text: string): void {
    this.#cdataSections += 1;
    atMost(this.#cdataSections, this.#limits.cdataSections, 'CDATA sections');
    atMost(text.length, this.#limits.textLength, 'characters in one CDATA section');
  }

  #namespace(): void {
    this.#namespaces += 1;
    const inScope = (this.#inScope.pop() ?? 0) + 1;
    this.#inScope.push(inScope);
    atMost(this.#namespaces, this.#limits.namespaces, 'namespace declarations');
    atMost(inScope, this.#limits.namespacesInScope, 'namespace declarations in scope');
  }
}

function atMost(count: number, limit: number, what: string): void {
  if (count > limit) {
    throw new XmlLimitError(`has more than ${limit.toLocaleString('en')} ${what}`);
  }
}
