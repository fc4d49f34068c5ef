import { PROBLEM_MEMBERS, PROBLEMS, type Problem, type ProblemCode } from '@cspm/contract';

import type { SchemaObject } from './types.ts';

/**
 * The schema of the refusals with some codes: `Problem` with the members of those codes, and `code` as a closed enum.
 * It repeats the members instead of combining schemas with `allOf`, because code generators disagree on which `code`
 * such a combination has.
 */
export function problemSchema(
  problem: SchemaObject,
  codes: readonly ProblemCode[],
  example: Problem,
): SchemaObject {
  const others = Object.entries<readonly ProblemCode[]>(PROBLEM_MEMBERS)
    .filter(([, owners]) => !owners.some((code) => codes.includes(code)))
    .map(([member]) => member);
  const { properties, required } = problem;
  const members = Object.entries(properties ?? {}).filter(([name]) => !others.includes(name));
  const { status } = PROBLEMS[example.code];
  return {
    type: 'object',
    description: `A refusal with status ${status} and the code ${codes.map((code) => `\`${code}\``).join(' or ')}.`,
    properties: { ...Object.fromEntries(members), code: { type: 'string', enum: [...codes] } },
    ...(required && { required }),
    example,
  };
}
