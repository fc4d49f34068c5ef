import { describe, expect, it } from 'vitest';
import {
  allowancesOf,
  isIngress,
  isOpenToInternet,
  sourceRangesOf,
  targetTagsOf,
} from './firewall.ts';

describe('a firewall rule', () => {
  it('a firewall rule is the same in every spelling of its arrays and protocols', () => {
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

  it('a firewall rule without a direction is for ingress', () => {
    expect(isIngress({})).toBe(true);
    expect(isIngress({ direction: 'INGRESS' })).toBe(true);
    expect(isIngress({ direction: 'egress' })).toBe(false);
  });

  it('a firewall rule without a source allows the internet, and one with source tags does not', () => {
    expect(isOpenToInternet({})).toBe(true);
    expect(isOpenToInternet({ sourceTags: ['web'] })).toBe(false);
    expect(isOpenToInternet({ sourceServiceAccounts: ['a@b'] })).toBe(false);
    expect(isOpenToInternet({ sourceTags: ['web'], sourceRanges: ['0.0.0.0/0'] })).toBe(true);
  });
});
