/** The moment at which the cases of rules that count days are judged. */
export const NOW = new Date('2026-11-20T12:00:00Z');
