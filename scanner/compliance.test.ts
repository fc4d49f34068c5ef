import { expect, it } from 'vitest';
import { cis } from './compliance.ts';

it('CIS 2.0 numbers a requirement as CIS 4.0 does, unless the mapping lists a difference', () => {
  expect(cis({ v4: '6.6', v5: '6.7' })).toEqual([
    { framework: 'cis-gcp-2.0', id: '6.6' },
    { framework: 'cis-gcp-4.0', id: '6.6' },
    { framework: 'cis-gcp-5.0', id: '6.7' },
  ]);
  expect(cis({ v2: '1.18', v4: '1.17', v5: '1.18' })[0]).toEqual({
    framework: 'cis-gcp-2.0',
    id: '1.18',
  });
  expect(cis({ v2: null, v4: '8.1', v5: '8.1' }).map(({ framework }) => framework)).toEqual([
    'cis-gcp-4.0',
    'cis-gcp-5.0',
  ]);
  expect(cis({ v4: null, v5: '6.9' })).toEqual([{ framework: 'cis-gcp-5.0', id: '6.9' }]);
});
