/** Most severe first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

export type Severity = (typeof SEVERITIES)[number];

export const FAIL_ON = [...SEVERITIES, 'never'] as const;

/** Whether a finding of this severity is at or above the threshold of `--fail-on`. */
export function failsOn(severity: Severity, threshold: string): boolean {
  const words: readonly string[] = SEVERITIES;
  return words.indexOf(severity) <= words.indexOf(threshold);
}
