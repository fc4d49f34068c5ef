import { describe, expect, it } from 'vitest';
import { findingsOf } from './finding.ts';
import { PASS } from './outcome.ts';
import type { Rule } from './rule.ts';
import { resourceRule } from './rule-kinds.ts';

const rule: Rule = resourceRule(
  {
    id: 'example-rule',
    title: 'Something is wrong',
    severity: 'medium',
    category: 'network',
    assetTypes: ['example.com/Thing'],
    description: 'A rule for this test.',
    remediation: 'Mend it.',
    compliance: [],
  },
  () => PASS,
);

describe('the findings of a rule', () => {
  it('the findings of a rule carry the title and severity of the rule, unless the violation has its own', () => {
    const findings = findingsOf(rule, [
      { message: 'One.', evidence: [] },
      { subject: 'two', message: 'Two.', evidence: [], severity: 'critical' },
    ]);
    expect(findings).toEqual([
      {
        ruleId: 'example-rule',
        severity: 'medium',
        title: 'Something is wrong',
        subject: '',
        message: 'One.',
        evidence: [],
      },
      expect.objectContaining({ subject: 'two', severity: 'critical' }),
    ]);
  });

  it('a rule has one finding for each subject', () => {
    const first = { subject: 'same', message: 'First.', evidence: [] };
    const findings = findingsOf(rule, [first, { ...first, message: 'Again.' }]);
    expect(findings.map(({ message }) => message)).toEqual(['First.']);
  });

  it('findings have a limited length and can be stored for any inventory', () => {
    const [finding] = findingsOf(rule, [
      { subject: `\0${'s'.repeat(1e5)}`, message: `\0${'m'.repeat(1e5)}`, evidence: [] },
    ]);
    expect(finding?.subject).toHaveLength(512);
    expect(finding?.message).toHaveLength(1000);
    expect(JSON.stringify(finding)).not.toContain('\\u0000');
  });
});
