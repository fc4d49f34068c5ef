import { expect, test } from 'vitest';
import { shared } from './process-registry.ts';

let values = 0;

function value(key: string): number {
  return shared(`process-registry-test ${key}`, () => {
    values += 1;
    return values;
  });
}

test('the process registry forgets only the values that were not used for longest', () => {
  const [spent, idle] = [value('spent'), value('idle')];
  for (let other = 0; other < 9_999; other += 1) {
    value(`other ${other}`);
    if (other % 1000 === 0) expect(value('spent')).toBe(spent);
  }
  expect(value('spent')).toBe(spent);
  expect(value('other 9998')).toBe(idle + 9_999);
  expect(value('idle')).not.toBe(idle);
});
