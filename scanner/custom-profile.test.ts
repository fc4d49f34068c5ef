import { describe, expect, it } from 'vitest';
import { type ProfileDefinition, resolveCustomProfile, SelectableRules } from './custom-profile.ts';
import { digestOf, type ProfileRule, resolveProfile } from './profile.ts';
import { RULES } from './rules/catalogue.ts';

function defined(parts: Partial<ProfileDefinition>) {
  const whole = { name: 'custom:mine', include: ['*'], exclude: [], parameters: {}, ...parts };
  return resolveCustomProfile(whole, new SelectableRules(RULES));
}

const idsOf = (parts: Partial<ProfileDefinition>) =>
  defined(parts).profile?.rules.map(({ id }) => id) ?? [];

const faultsOf = (parts: Partial<ProfileDefinition>) => defined(parts).faults;

describe('a custom profile', () => {
  it('a custom profile has the included rules without the excluded ones, in the order of their ids', () => {
    expect(idsOf({ include: ['fw-*-world', 'bucket-public'], exclude: ['*-all-*'] })).toEqual(
      RULES.map(({ id }) => id).filter(
        (id) => id === 'bucket-public' || /^fw-(?!all-).*-world$/.test(id),
      ),
    );
  });

  it.each([
    ['category:kms', ({ category }: ProfileRule) => category === 'kms'],
    ['severity:critical', ({ severity }: ProfileRule) => severity === 'critical'],
    [
      'framework:cis-gcp-5.0',
      ({ compliance }: ProfileRule) => compliance.some((one) => one.framework === 'cis-gcp-5.0'),
    ],
    [
      'framework:cis-gcp',
      ({ compliance }: ProfileRule) => compliance.some((one) => one.framework === 'cis-gcp-4.0'),
    ],
    [
      'profile:quick',
      ({ id }: ProfileRule) => resolveProfile('critical')?.rules.some((rule) => rule.id === id),
    ],
    ['profile:full', () => true],
  ] as const)('a custom profile can include rules by %s', (selector, belongs) => {
    const ids = idsOf({ include: [selector] });
    expect(ids.length).toBeGreaterThan(0);
    expect(ids).toEqual(RULES.filter(belongs).map(({ id }) => id));
    const [first = ''] = ids;
    expect(idsOf({ exclude: [selector], include: ['*', first] })).toEqual(
      RULES.map(({ id }) => id).filter((id) => !ids.includes(id)),
    );
  });

  it('a custom profile has the parameters that it names, defaults for the others, and its own digest', () => {
    const include = ['kms-rotation-90d', 'bucket-public'];
    const plain = defined({ include }).profile;
    const strict = defined({ include, parameters: { 'kms-rotation-90d': { days: 30 } } }).profile;
    expect(strict?.rules.map(({ parameters }) => parameters)).toEqual([{}, { days: 30 }]);
    expect(strict?.digest).toBe(digestOf(strict?.rules ?? []));
    expect(strict?.digest).not.toBe(plain?.digest);
    expect(strict?.name).toBe('custom:mine');
    expect(defined({ include: ['profile:full'] }).profile?.digest).toBe(
      resolveProfile('full')?.digest,
    );
  });

  it('a custom profile can include rules of the tenant', () => {
    const own: ProfileRule = {
      id: 'bucket-has-owner',
      version: 3,
      severity: 'low',
      category: 'custom',
      compliance: [],
      parameters: {},
    };
    const definition = { name: 'custom:mine', exclude: [], parameters: {} };
    const rules = new SelectableRules([...RULES, own]);
    for (const include of [['bucket-has-*'], ['category:custom']]) {
      expect(resolveCustomProfile({ ...definition, include }, rules).profile?.rules).toEqual([
        { id: 'bucket-has-owner', version: 3, parameters: {} },
      ]);
    }
  });
});

describe('profiles that are resolved with the same rules', () => {
  it('profiles that are resolved with the same rules share the comparison of each selector', () => {
    let reads = 0;
    const [first] = RULES;
    const counted = {
      ...first,
      get id() {
        reads += 1;
        return 'counted';
      },
    } as ProfileRule;
    const rules = new SelectableRules([counted]);
    const resolve = (include: readonly string[]) => {
      const before = reads;
      for (const selector of include) rules.select(selector);
      return reads - before;
    };
    expect(resolve(['count*', 'counted', 'other-*'])).toBe(3);
    expect(resolve([...Array(100).fill('count*'), 'counted', 'other-*', '*ed'])).toBe(1);
  });
});

describe('a definition of a custom profile', () => {
  it.each<[string, Partial<ProfileDefinition>, string, RegExp]>([
    ['an unknown id', { include: ['no-such-rule'] }, 'include.0', /GET \/rules/],
    ['the beginning of an id', { include: ['bucket'] }, 'include.0', /did you mean "bucket-\w+"/],
    ['an empty selector', { include: ['*', ''] }, 'include.1', /not a rule id/],
    ['a pattern that nothing matches', { include: ['zz-*'] }, 'include.0', /matches/],
    ['an unknown category', { include: ['category:nonsense'] }, 'include.0', /: .*storage/],
    ['an unknown severity', { include: ['severity:High'] }, 'include.0', /high/],
    ['an unknown framework', { include: ['framework:soc2'] }, 'include.0', /cis-gcp-4\.0/],
    ['an unknown profile', { include: ['profile:custom:x'] }, 'include.0', /critical/],
    ['an unknown kind', { include: ['tag:x'] }, 'include.0', /category:…/],
    ['a kind of Object', { include: ['constructor:x'] }, 'include.0', /not a valid prefix/],
    ['an unknown exclusion', { exclude: ['bucket-public', 'nope'] }, 'exclude.1', /not a rule id/],
    ['nothing left', { exclude: ['*'] }, 'include', /selects no rule/],
    ['parameters of no rule', { parameters: { nope: {} } }, 'parameters.nope', /GET \/rules/],
    [
      'parameters of a rule that is left out',
      { include: ['bucket-public'], parameters: { 'kms-rotation-90d': { days: 30 } } },
      'parameters.kms-rotation-90d',
      /include the rule/,
    ],
    [
      'an unknown parameter',
      { parameters: { 'kms-rotation-90d': { day: 30 } } },
      'parameters.kms-rotation-90d.day',
      /its parameters are: days/,
    ],
    [
      'a parameter of a rule without any',
      { parameters: { 'bucket-public': { toString: 1 } } },
      'parameters.bucket-public.toString',
      /its parameters are: none/,
    ],
    ...[0, -1, 1.5, '30', null, 1e9, [30], true].map(
      (days): [string, Partial<ProfileDefinition>, string, RegExp] => [
        `${JSON.stringify(days)} for days`,
        { parameters: { 'kms-rotation-90d': { days } } },
        'parameters.kms-rotation-90d.days',
        /integer from 1 to 3650/,
      ],
    ),
  ])(
    'the definition of a custom profile is refused for %s, with its place and the remedy',
    (_what, parts, path, message) => {
      expect(faultsOf(parts)).toEqual([{ path, message: expect.stringMatching(message) }]);
    },
  );

  it('the definition of a custom profile reports all of its faults together', () => {
    const faults = faultsOf({
      include: ['nope', '*'],
      exclude: ['severity:none'],
      parameters: { 'kms-rotation-90d': { days: 0, hours: 1 }, nope: {} },
    });
    expect(faults.map(({ path }) => path)).toEqual([
      'include.0',
      'exclude.0',
      'parameters.kms-rotation-90d.days',
      'parameters.kms-rotation-90d.hours',
      'parameters.nope',
    ]);
  });
});
