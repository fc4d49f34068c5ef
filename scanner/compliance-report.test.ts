import { describe, expect, it } from 'vitest';
import { complianceReport, type VerdictCount } from './compliance-report.ts';
import { REQUIREMENTS } from './frameworks/cis-gcp.ts';
import { RULES } from './rules/catalogue.ts';

const NOTHING = { pass: 0, fail: 0, na: 0, unknown: 0 };

function count(ruleId: string, verdicts: Partial<VerdictCount> = {}): VerdictCount {
  return { ...NOTHING, ...verdicts, ruleId };
}

function status(id: string, ...counts: readonly VerdictCount[]) {
  const { requirements } = complianceReport('cis-gcp-4.0', counts);
  return requirements.find((requirement) => requirement.id === id)?.status;
}

describe('the requirements of the benchmark', () => {
  it.each([
    ['cis-gcp-2.0', 84, 11],
    ['cis-gcp-4.0', 84, 12],
    ['cis-gcp-5.0', 93, 21],
  ] as const)(
    'the benchmark %s has %i requirements, and %i of them are manual',
    (framework, all, manual) => {
      const requirements = REQUIREMENTS[framework];
      expect(requirements).toHaveLength(all);
      expect(requirements.filter(({ assessment }) => assessment === 'manual')).toHaveLength(manual);
      expect(new Set(requirements.map(({ id }) => id)).size).toBe(all);
      for (const { section, title } of requirements) {
        expect(section).not.toBe('');
        expect(title).toMatch(/^\S.{10,70}[^.]$/);
      }
    },
  );

  it('every automated requirement of CIS 4.0 has a rule, except two', () => {
    const decided = new Set(
      RULES.flatMap(({ compliance }) =>
        compliance.flatMap(({ framework, id }) => (framework === 'cis-gcp-4.0' ? [id] : [])),
      ),
    );
    const ids = (assessment: string, isDecided: boolean) =>
      REQUIREMENTS['cis-gcp-4.0']
        .filter((one) => one.assessment === assessment && decided.has(one.id) === isDecided)
        .map(({ id }) => id);
    expect(ids('automated', false)).toEqual(['1.12', '2.15']);
    expect(ids('automated', true)).toHaveLength(70);
    expect(ids('manual', true)).toEqual(['1.1', '1.13', '1.17', '3.9']);
  });

  it('the requirements of a benchmark are in the order of their numbers', () => {
    const ids = REQUIREMENTS['cis-gcp-5.0'].map(({ id }) => id);
    expect(ids.slice(0, 6)).toEqual(['1.1.1', '1.1.2', '1.1.3', '1.1.4', '1.2', '1.3']);
    expect(ids.indexOf('3.10')).toBe(ids.indexOf('3.9') + 1);
    expect(ids.indexOf('6.4')).toBe(ids.indexOf('6.3.7') + 1);
    expect(ids.at(-1)).toBe('8.1');
  });

  it('the requirements of a benchmark have the numbers of their version', () => {
    const titled = (framework: keyof typeof REQUIREMENTS, id: string) =>
      REQUIREMENTS[framework].find((requirement) => requirement.id === id)?.title;
    expect(titled('cis-gcp-2.0', '1.18')).toBe(titled('cis-gcp-4.0', '1.17'));
    expect(titled('cis-gcp-2.0', '1.17')).toBe(titled('cis-gcp-4.0', '8.1'));
    expect(titled('cis-gcp-4.0', '1.1')).toBe(titled('cis-gcp-5.0', '1.2'));
  });

  it.each(RULES.filter(({ compliance }) => compliance.length > 0))(
    'the requirements of a benchmark include those that the rule $id decides',
    ({ compliance }) => {
      for (const { framework, id } of compliance) {
        expect(REQUIREMENTS[framework].map((requirement) => requirement.id)).toContain(id);
      }
    },
  );
});

describe('a report', () => {
  it('a compliance report derives the status of a requirement from the verdicts of its rule', () => {
    const bucket = (verdicts: Partial<VerdictCount>) =>
      status('5.2', count('bucket-uniform-access', verdicts));
    expect(bucket({ pass: 9, fail: 1, unknown: 5, na: 3 })).toBe('fail');
    expect(bucket({ pass: 9, unknown: 1, na: 3 })).toBe('unknown');
    expect(bucket({ pass: 1, na: 3 })).toBe('pass');
    expect(bucket({ na: 3 })).toBe('na');
    expect(bucket({})).toBe('na');
  });

  it('a compliance report does not pass a requirement whose rules are not in the profile of the scan', () => {
    expect(status('5.2')).toBe('unknown');
  });

  it('a compliance report marks requirements that only people can assess, and leaves those without a rule undecided', () => {
    expect(status('1.2')).toBe('manual');
    expect(status('2.15')).toBe('unknown');
  });

  it('a compliance report shows the counts of the rules as given, and their sums', () => {
    const row = { ...count('bucket-uniform-access', { pass: 2 }), missing: ['IAM_POLICY'] };
    const report = complianceReport('cis-gcp-5.0', [row, count('bucket-cmek', { fail: 1 })]);
    expect(report.framework).toBe('cis-gcp-5.0');
    expect(report.requirements.find(({ id }) => id === '5.2')).toEqual({
      id: '5.2',
      section: 'Storage',
      title: 'Buckets use uniform bucket-level access',
      assessment: 'automated',
      status: 'pass',
      rules: [row],
    });
    const { pass, fail, unknown, na, manual } = report.summary;
    expect(pass + fail + unknown + na + manual).toBe(report.requirements.length);
    expect({ pass, fail, na }).toEqual({ pass: 1, fail: 0, na: 0 });
  });
});
