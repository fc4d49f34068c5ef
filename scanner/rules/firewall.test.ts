import { expect, it } from 'vitest';
import { FIREWALL_RULES } from './firewall.ts';

it('every rule on ports that are open to the internet says that it does not evaluate firewall policies', () => {
  const rules = FIREWALL_RULES.filter(({ id }) => id.endsWith('-world'));
  expect(rules.length).toBeGreaterThan(3);
  for (const { description } of rules) {
    expect(description).toMatch(/hierarchical and network firewall policies are not/);
  }
});
