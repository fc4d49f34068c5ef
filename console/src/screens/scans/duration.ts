/** The time between two moments: `0.4 s`, `3 min 20 s`. A dash if one is missing. */
export function duration(from: string | null, to: string | null): string {
  if (from === null || to === null) return '–';
  const seconds = Math.max(0, Date.parse(to) - Date.parse(from)) / 1000;
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
