/** The time between two moments: `0.4 s`, `3 min 20 s`. A dash if one is missing. */
export function duration(from: string | null, to: string | null): string {
  if (from === null || to === null) return '–';
  const seconds = Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
