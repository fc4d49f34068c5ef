/** Worst first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

export type Severity = (typeof SEVERITIES)[number];

export const FAIL_ON = [...SEVERITIES, 'never'] as const;

/** Whether a finding of this severity is to fail a pipeline that fails on that one and worse. */
export function failsOn(severity: Severity, threshold: string): boolean {
  const words: readonly string[] = SEVERITIES;
  return words.indexOf(severity) <= words.indexOf(threshold);
}
