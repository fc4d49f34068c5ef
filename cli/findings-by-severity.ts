import type { Cspm, Finding } from '@cspm/sdk';
import { SEVERITIES, type Severity } from './severity.ts';

type Filter = Parameters<Cspm['findings']['list']>[0];

/** Lists the findings that match a filter, most severe first. The service itself lists them by age. */
export async function* findingsBySeverity(
  cspm: Cspm,
  filter: NonNullable<Filter>,
  severities: readonly Severity[] = SEVERITIES,
): AsyncGenerator<Finding> {
  for (const severity of SEVERITIES) {
    if (!severities.includes(severity)) continue;
    yield* cspm.findings.list({ ...filter, severity: [severity], limit: 500 });
  }
}
