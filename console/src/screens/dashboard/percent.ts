/** `63.2`, for a share from 0 to 100. Only a whole share is `100.0`, and only none is `0.0`. */
export function percent(share: number): string {
  const least = share > 0 ? 0.1 : 0;
  const most = share < 100 ? 99.9 : 100;
  return Math.min(most, Math.max(least, share)).toFixed(1);
}
