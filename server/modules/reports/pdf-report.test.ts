import { describe, expect, it } from 'vitest';
import { pdfReport } from './pdf-report.ts';
import { printed } from './pdf-text.ts';
import type { Report } from './report.ts';

const AT = '2026-11-20T08:00:00.000Z';
const NONE = { total: 0, read: async () => [] };

function reportFor(tenant: string): Report {
  return {
    tenant,
    madeAt: AT,
    scan: {
      id: '0199c2a4-7c1e-7a53-9d5e-2f6f8f1f4b11',
      status: 'completed',
      profile: 'full',
      createdAt: AT,
      finishedAt: AT,
      projects: Array.from({ length: 100 }, (_, n) => ({
        name: `project-${n}`,
        status: 'completed',
        assets: 5,
        findings: 4,
      })),
      totals: {
        assets: 500,
        evaluations: 2,
        pass: 1,
        fail: 1,
        unknown: 0,
        bySeverity: { critical: 1, high: 0, medium: 0, low: 0, info: 0 },
      },
      delta: { new: 1, resolved: 0, reopened: 0, unchanged: 0 },
    },
    compliance: {
      framework: 'cis-gcp-4.0',
      summary: { pass: 0, fail: 0, unknown: 0, na: 0, manual: 0 },
      requirements: [],
    },
    score: 50,
    trend: [],
    risks: NONE,
    muted: NONE,
  };
}

async function pagesFor(tenant: string): Promise<number> {
  const pieces: Uint8Array[] = [];
  for await (const piece of pdfReport(reportFor(tenant))) pieces.push(piece);
  const pdf = Buffer.concat(pieces).toString('latin1');
  return pdf.match(/\/Type \/Page\b/g)?.length ?? 0;
}

describe('a report in PDF', () => {
  it.each([
    ['Cyrillic', 'Общество с ограниченной ответственностью «Северо-Западная энергетика»'],
    ['wide', 'W'.repeat(100)],
  ])('a report in PDF has no more pages for a tenant with a long %s name', async (_, name) => {
    const pages = await pagesFor('Acme');
    expect(pages).toBeGreaterThan(2);
    expect(await pagesFor(name)).toBe(pages);
  });

  it('a report in PDF shows each text up to a length that includes the codes of characters', () => {
    const code = '\\u{429}';
    expect(printed('Щ'.repeat(2_000), 60)).toBe(`${code.repeat(8)}…`);
    expect(printed('Щ'.repeat(2_000)).length).toBeLessThanOrEqual(300);
    expect(printed('a\u200b'.repeat(2_000), 20)).toBe('a\\u{200b}a\\u{200b}a…');
    expect(printed('Щ'.repeat(8), 60)).toBe(code.repeat(8));
    expect(printed(`${'a'.repeat(300)}b`)).toBe(`${'a'.repeat(299)}…`);
  });
});
