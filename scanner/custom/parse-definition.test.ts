import { describe, expect, it } from 'vitest';
import { idFromTitle } from './definition.ts';
import { parseDefinition } from './parse-definition.ts';

const BUCKET = 'storage.googleapis.com/Bucket';
const OURS = {
  title: 'Bucket without an owner',
  severity: 'medium',
  assetTypes: [BUCKET],
  predicate: '!has(resource.data.labels.owner)',
};
const record = (type = BUCKET) => ({ name: '//x/b', asset_type: type, resource: { data: {} } });

describe('a definition', () => {
  it('the definition of a custom rule may omit members with a default', () => {
    expect(parseDefinition(OURS)).toEqual({
      definition: {
        ...OURS,
        id: 'bucket-without-an-owner',
        version: 1,
        description: '',
        recommendation: '',
      },
      enabled: true,
      tests: [],
    });
  });

  it('the definition of a custom rule may contain tests, and may be disabled', () => {
    const tests = [{ asset: record(), verdict: 'unknown' }];
    expect(parseDefinition({ ...OURS, id: 'owner', enabled: false, tests })).toMatchObject({
      definition: { id: 'owner' },
      enabled: false,
      tests,
    });
  });

  it('a definition of Security Health Analytics is accepted unchanged', () => {
    const module = {
      display_name: 'Key rotation',
      severity: 'HIGH',
      description: 'Keys rotate.',
      recommendation: 'Rotate it.',
      resource_selector: { resource_types: ['cloudkms.googleapis.com/CryptoKey'] },
      predicate: { expression: 'has(resource.rotationPeriod)' },
    };
    expect(parseDefinition(module)).toMatchObject({
      definition: {
        id: 'key-rotation',
        title: 'Key rotation',
        severity: 'high',
        assetTypes: ['cloudkms.googleapis.com/CryptoKey'],
        predicate: 'has(resource.rotationPeriod)',
      },
    });
  });
});

describe('all faults of a definition are reported together, each with its place', () => {
  it.each([
    ['not a mapping', 'text', ['']],
    ['nothing in it', {}, ['title', 'severity', 'assetTypes', 'predicate']],
    ['an unknown member', { ...OURS, custom_output: {} }, ['custom_output']],
    ['a member under two names', { ...OURS, display_name: 'x' }, ['display_name']],
    [
      'texts of other types, empty or too long',
      { ...OURS, title: 5, description: [], predicate: ' ', recommendation: 'x'.repeat(2001) },
      ['title', 'description', 'predicate', 'recommendation'],
    ],
    ['an unfit id', { ...OURS, id: 'Öwner' }, ['id']],
    ['a title without a letter, and no id', { ...OURS, title: '…' }, ['id']],
    ['an unknown severity', { ...OURS, severity: 'severe' }, ['severity']],
    ['no types', { ...OURS, assetTypes: [] }, ['assetTypes']],
    ['types of another type', { ...OURS, assetTypes: [BUCKET, 5] }, ['assetTypes']],
    ['a switch of another type', { ...OURS, enabled: 'no' }, ['enabled']],
    ['tests of another type', { ...OURS, tests: {} }, ['tests']],
    [
      'tests without asset or verdict',
      { ...OURS, tests: [{ asset: record() }, { verdict: 'pass' }] },
      ['tests.0.verdict', 'tests.1.asset'],
    ],
    [
      'tests of other types',
      {
        ...OURS,
        tests: [
          { asset: record('x/Y'), verdict: 'pass' },
          { asset: {}, verdict: 'pass' },
        ],
      },
      ['tests.0.asset', 'tests.1.asset'],
    ],
  ])(
    'a definition with %s is refused with all its faults, each with its place',
    (_what, value, paths) => {
      const parsed = parseDefinition(value);
      expect('faults' in parsed && parsed.faults.map(({ path }) => path)).toEqual(paths);
    },
  );
});

describe('an id made of a title', () => {
  it.each([
    ['Bucket without an owner!', 'bucket-without-an-owner'],
    ['  Ärgernis №5 ', 'argernis-no5'],
    ['—', ''],
    [`${'a'.repeat(62)} b`, 'a'.repeat(62)],
  ])('the title %j becomes the id %j', (title, id) => {
    expect(idFromTitle(title)).toBe(id);
  });
});
