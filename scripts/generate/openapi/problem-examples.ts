import { PROBLEMS, type Problem, type ProblemCode, problemType } from '@cspm/contract';

type Members = Partial<Omit<Problem, 'type' | 'title' | 'status' | 'code'>>;

/** What is particular to a code: its words for the case at hand, and its extension members. */
const PARTICULARS: Partial<Record<ProblemCode, Members>> = {
  VALIDATION_FAILED: {
    detail: 'The body does not fit the contract.',
    errors: [{ path: 'projects', message: 'must hold at least 1 item' }],
  },
  FORBIDDEN: {
    detail: 'This needs the permission scans.launch.',
    permission: 'scans.launch',
  },
  CREDENTIAL_NOT_ALLOWED: {
    detail: 'This takes a session, not an API key.',
    accepts: ['jwt'],
  },
  FEATURE_NOT_LICENSED: {
    detail: 'This needs the licensed feature custom_rules.',
    feature: 'custom_rules',
  },
  PREFLIGHT_BLOCKED: {
    detail: 'Preflight says that this scan cannot start.',
    checks: [
      {
        project: 'shop-prod',
        id: 'source.attached',
        code: 'INVENTORY_MISSING',
        message: 'The project has no inventory.',
        remediation: 'Upload one with PUT /projects/shop-prod/inventory.',
      },
    ],
  },
  RATE_LIMITED: { detail: 'The limit scans is used up.', limit: 'scans' },
};

/** The problem as it may look on the wire. */
export function problemExample(code: ProblemCode): Problem {
  const { status, title } = PROBLEMS[code];
  return {
    type: problemType(code),
    title,
    status,
    detail: `${title}.`,
    code,
    correlationId: '0199c2a4-7c1e-7a53-9d5e-2f6f8f1f4b11',
    ...PARTICULARS[code],
  };
}
