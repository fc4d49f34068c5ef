/**
 * Bounds on an XML document from outside. `scanXml` enforces them in a streaming pass before any tree is built, because
 * the tree, its XPath queries and the canonical form of a signature cost more than linear time.
 */
export interface XmlLimits {
  /** Size of the document in UTF-8. */
  readonly bytes: number;
  readonly elements: number;
  /** Levels of elements; the root is at level 1. */
  readonly depth: number;
  /** Attributes of all elements together, namespace declarations included. */
  readonly attributes: number;
  readonly attributesPerElement: number;
  /** Namespace declarations of all elements together. */
  readonly namespaces: number;
  /** Namespace declarations on one element and its ancestors. */
  readonly namespacesInScope: number;
  /** Runs of text between two tags, white space included. */
  readonly texts: number;
  /** UTF-16 units of one run of text, CDATA section or comment. */
  readonly textLength: number;
  /** UTF-16 units of one attribute value. */
  readonly valueLength: number;
  /** UTF-16 units of one element or attribute name, with its prefix. */
  readonly nameLength: number;
  readonly comments: number;
  readonly cdataSections: number;
}

/** UTF-16 units in which the start tag of the root element must end, what precedes it included. */
export const MAX_PROLOG_LENGTH = 8 * 1024;

/**
 * Bounds on a SAML response. A response with one signed assertion and a dozen attributes has about 60 elements. Providers
 * that list hundreds of groups have to leave them out: group attributes are not read, and the XPath queries of node-saml take
 * quadratic time.
 */
export const RESPONSE_LIMITS: XmlLimits = {
  bytes: 192 * 1024,
  elements: 600,
  depth: 32,
  attributes: 2_000,
  attributesPerElement: 32,
  namespaces: 1_200,
  namespacesInScope: 64,
  texts: 1_500,
  textLength: 64 * 1024,
  valueLength: 4 * 1024,
  nameLength: 256,
  comments: 32,
  cdataSections: 32,
};

/** Bounds on the metadata of an identity provider. ADFS publishes about 70 kB and 1,000 elements. */
export const METADATA_LIMITS: XmlLimits = {
  bytes: 512 * 1024,
  elements: 4_000,
  depth: 32,
  attributes: 8_000,
  attributesPerElement: 32,
  namespaces: 4_000,
  namespacesInScope: 64,
  texts: 10_000,
  textLength: 128 * 1024,
  valueLength: 8 * 1024,
  nameLength: 256,
  comments: 256,
  cdataSections: 64,
};
