import { describe, expect, it } from 'vitest';
import { RESPONSE_LIMITS, type XmlLimits } from './xml-limits.ts';
import { readXmlRoot, scanXml, XmlLimitError } from './xml-scan.ts';

const LIMITS: XmlLimits = {
  bytes: 4_000,
  elements: 8,
  depth: 4,
  attributes: 8,
  attributesPerElement: 3,
  namespaces: 5,
  namespacesInScope: 4,
  texts: 3,
  textLength: 20,
  valueLength: 30,
  nameLength: 10,
  comments: 2,
  cdataSections: 2,
};

function many(count: number, one: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => one(index)).join('');
}

/** Builds documents in which one quantity has the given count. */
const DOCUMENTS: [what: string, limit: number, of: (count: number) => string][] = [
  ['bytes', 4_000, (count) => `<r>${'<!---->'.repeat(2)}${' '.repeat(count - 21)}</r>`],
  ['elements', 8, (count) => `<r>${'<a/>'.repeat(count - 1)}</r>`],
  ['levels of elements', 4, (count) => '<a>'.repeat(count) + '</a>'.repeat(count)],
  [
    'attributes',
    8,
    (count) =>
      `<r>${many(count, (at) => (at % 2 ? ' b="1"/>' : '<a a="1"')).replace(/"$/, '"/>')}</r>`,
  ],
  ['attributes on one element', 3, (count) => `<r${many(count, (at) => ` a${at}="1"`)}/>`],
  [
    'namespace declarations',
    5,
    (count) => `<r>${many(count, (at) => `<a xmlns:n${at}="urn:x"/>`)}</r>`,
  ],
  [
    'namespace declarations in scope',
    4,
    (count) =>
      `<r xmlns="urn:r" xmlns:a="urn:a"><s${many(count - 2, (at) => ` xmlns:n${at}="urn:x"`)}/></r>`,
  ],
  ['runs of text', 3, (count) => `<r>${'x<a/>'.repeat(count - 1)}x</r>`],
  ['characters in one text', 20, (count) => `<r>${'x'.repeat(count)}</r>`],
  ['characters in an attribute value', 30, (count) => `<r a="${'x'.repeat(count)}"/>`],
  ['characters in a name', 10, (count) => `<${'r'.repeat(count)}/>`],
  ['comments', 2, (count) => `<r>${'<!---->'.repeat(count)}</r>`],
  ['characters in one comment', 20, (count) => `<r><!--${'x'.repeat(count)}--></r>`],
  ['CDATA sections', 2, (count) => `<r>${'<![CDATA[]]>'.repeat(count)}</r>`],
  ['characters in one CDATA section', 20, (count) => `<r><![CDATA[${'x'.repeat(count)}]]></r>`],
];

function faultOf(xml: string, limits = LIMITS): string | null {
  try {
    scanXml(xml, limits);
    return null;
  } catch (error) {
    return error instanceof XmlLimitError ? error.message : 'not well-formed';
  }
}

describe('scanXml', () => {
  it.each(DOCUMENTS)(
    'scanXml accepts as many %s as the limit and rejects one more',
    (what, limit, of) => {
      // Padding is text too, so the test of total bytes needs a higher text limit.
      const limits = what === 'bytes' ? { ...LIMITS, textLength: 4_000 } : LIMITS;
      expect(faultOf(of(limit), limits)).toBeNull();
      expect(faultOf(of(limit + 1), limits)).toBe(
        `has more than ${limit.toLocaleString('en')} ${what}`,
      );
    },
  );

  it.each([
    ['a document type', '<!DOCTYPE r><r/>', 'has a document type'],
    ['an entity declaration', '<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>', 'has a document type'],
    ['a processing instruction', '<r><?php x?></r>', 'has a processing instruction'],
  ])('scanXml refuses %s', (_what, xml, fault) => {
    expect(faultOf(xml)).toBe(fault);
  });

  it.each([
    ['text', 'hello'],
    ['an end tag that is missing', '<r><a></r>'],
    ['an attribute twice', '<r a="1" a="2"/>'],
    ['an attribute twice by its namespace', '<r xmlns:a="u" xmlns:b="u"><s a:x="1" b:x="2"/></r>'],
    ['a prefix that is not declared', '<x:r/>'],
    ['an entity that is not declared', '<r>&a;</r>'],
    ['two roots', '<r/><r/>'],
    ['a comment that does not end', '<r><!--'],
    ['nothing', ''],
  ])('scanXml refuses %s as not well-formed', (_what, xml) => {
    expect(faultOf(xml)).toBe('not well-formed');
  });

  it('scanXml stops at the first fault, so 100,000 nested elements cost no more than 33', () => {
    const read: number[] = [];
    const xml = '<a>'.repeat(60_000);
    const counting = { ...RESPONSE_LIMITS };
    Object.defineProperty(counting, 'depth', {
      get: () => {
        read.push(1);
        return 32;
      },
    });
    expect(faultOf(xml, counting)).toBe('has more than 32 levels of elements');
    expect(read).toHaveLength(33);
  });
});

describe('readXmlRoot', () => {
  it('readXmlRoot reads the name and attributes of the first tag and nothing after it', () => {
    const root = readXmlRoot(
      '<?xml version="1.0"?><!-- x --><p:r xmlns:p="urn:p" ID="1" p:a="2"><<<',
    );
    expect(root).toMatchObject({ namespace: 'urn:p', localName: 'r' });
    expect([...(root?.attributes ?? [])]).toEqual([['ID', '1']]);
  });

  it.each([
    ['a document type', '<!DOCTYPE r><r/>'],
    ['a first tag that ends after 8 KiB', `<r a="${'x'.repeat(9_000)}"/>`],
    ['8 KiB before the first tag', `<!--${'x'.repeat(9_000)}--><r/>`],
    ['a first tag that does not end', '<r a="1"'],
    ['text', 'hello'],
  ])('readXmlRoot returns null for %s', (_what, xml) => {
    expect(readXmlRoot(xml)).toBeNull();
  });
});
