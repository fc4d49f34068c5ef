import { FileDown } from 'lucide-react';
import { frameworkName } from '../lib/format.ts';
import { saveFile } from '../lib/save-file.ts';
import { type Action, useAction } from '../lib/use-action.ts';
import { api } from '../session.ts';
import { Button } from '../ui/Button.tsx';
import { Menu } from '../ui/Menu.tsx';
import type { Framework } from './frameworks.ts';

const FORMATS = [
  { format: 'html', label: 'HTML', hint: 'one page', type: 'text/html' },
  { format: 'pdf', label: 'PDF', hint: 'to print', type: 'application/pdf' },
  { format: 'csv', label: 'CSV', hint: 'requirements', type: 'text/csv' },
] as const;

/** A large tenant takes minutes. */
const TIMEOUT_MS = 600_000;

interface ReportChoice {
  readonly framework: Framework;
  readonly kind: (typeof FORMATS)[number];
}

/** Downloads reports of a scan. The page shows its error. */
export type ReportDownload = Action<ReportChoice>;

export function useReportDownload(scanId: string): ReportDownload {
  return useAction(async ({ framework, kind: { format, type } }: ReportChoice) => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const report = api.scans.report({ id: scanId, framework, format }, { timeoutMs: TIMEOUT_MS });
    for await (const part of report) parts.push(new Uint8Array(part));
    saveFile(`report-${framework}-${scanId}.${format}`, new Blob(parts), type);
  });
}

interface ReportMenuProps {
  readonly download: ReportDownload;
  readonly frameworks: readonly Framework[];
}

/** A menu of the reports of a scan, by framework and format. */
export function ReportMenu({ download, frameworks }: ReportMenuProps) {
  return (
    <Menu
      align="end"
      trigger={
        <Button busy={download.isBusy}>
          {!download.isBusy && <FileDown size={15} aria-hidden />}
          Report
        </Button>
      }
      groups={frameworks.map((framework) => ({
        label: `Report for ${frameworkName(framework)}`,
        items: FORMATS.map((kind) => ({
          label: kind.label,
          hint: kind.hint,
          onSelect: () => download.run({ framework, kind }),
        })),
      }))}
    />
  );
}
