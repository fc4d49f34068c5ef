/** The calls that every generated client makes, independent of its generator. */
export interface Task {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** A name that no project has. */
  readonly project: string;
  /** Records of a Cloud Asset Inventory export. */
  readonly records: readonly { name: string }[];
}

/** What it has to come back with. */
export interface Walk {
  readonly tenant: string;
  readonly assets: number;
  readonly status: 'completed' | 'partial' | 'failed' | 'cancelled';
  /** The worst findings of the scan, by rule. */
  readonly findings: readonly { rule: string; severity: 'critical' | 'high' }[];
  /** The code with which an unknown finding is refused, which the types know. */
  readonly refusal: 'NOT_FOUND';
}

export const WORST = ['critical', 'high'] as const;

/** The id of nothing that exists. */
export const UNKNOWN_ID = '0199c2a4-0000-7000-8000-000000000000';

const POLL_MS = 100;
const PATIENCE_MS = 150_000;

/** Asks until the answer is a final one. */
export async function finished<T extends { status: string }>(
  ask: () => Promise<T>,
): Promise<Walk['status']> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; ) {
    const { status } = await ask();
    if (status !== 'queued' && status !== 'running') return status as Walk['status'];
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error('The scan does not end.');
}

/** What the API answered where it should have succeeded. */
export function failed(refusal: unknown): never {
  throw new Error(JSON.stringify(refusal));
}

/** Takes every word that the API has for it, and no other. */
export function worst(
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info',
): (typeof WORST)[number] {
  return severity === 'critical' || severity === 'high' ? severity : failed(severity);
}
