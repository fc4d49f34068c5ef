import { describe, expect, it } from 'vitest';
import {
  allowancesOf,
  isIngress,
  isOpenToInternet,
  sourceRangesOf,
  targetTagsOf,
} from './firewall.ts';

describe('a firewall rule', () => {
  it('is one, whichever way its arrays and protocols are spelled', () => {
    const api = {
      allowed: [{ IPProtocol: 'tcp', ports: ['22'] }],
      sourceRanges: ['10.0.0.0/8'],
      targetTags: ['web'],
    };
    const exported = {
      allowed: [{ ipProtocol: '6', port: ['22'] }],
      sourceRange: ['10.0.0.0/8'],
      targetTag: ['web'],
    };
    for (const firewall of [api, exported, { ...exported, ...api }]) {
      expect(allowancesOf(firewall)).toEqual([
        { index: 0, protocol: 'tcp', ports: [{ first: 22, last: 22 }] },
      ]);
      expect(sourceRangesOf(firewall)).toEqual(['10.0.0.0/8']);
      expect(targetTagsOf(firewall)).toEqual(['web']);
    }
  });

  it('is for ingress unless it says egress', () => {
    expect(isIngress({})).toBe(true);
    expect(isIngress({ direction: 'INGRESS' })).toBe(true);
    expect(isIngress({ direction: 'egress' })).toBe(false);
  });

  it('takes traffic from the internet if it names no source, and not if it names tags', () => {
    expect(isOpenToInternet({})).toBe(true);
    expect(isOpenToInternet({ sourceTags: ['web'] })).toBe(false);
    expect(isOpenToInternet({ sourceServiceAccounts: ['a@b'] })).toBe(false);
    expect(isOpenToInternet({ sourceTags: ['web'], sourceRanges: ['0.0.0.0/0'] })).toBe(true);
  });
});
