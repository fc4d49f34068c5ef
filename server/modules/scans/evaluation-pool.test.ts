import { expect, it } from 'vitest';
import { EvaluationPool } from './evaluation-pool.ts';

it('a pool of evaluators ends every process when it is closed, also if several are released at once', async () => {
  const pool = new EvaluationPool();
  const processes = ['a', 'b', 'c'].map((tenant) => [tenant, pool.take(tenant)] as const);
  const [first, ...others] = processes;
  if (first !== undefined) await pool.release(...first);
  await Promise.all(others.map((released) => pool.release(...released)));
  await pool.close();
  const left = processes.filter(([, process]) => !process.isOver);
  for (const [, process] of left) await process.close();
  expect(left).toEqual([]);
});
