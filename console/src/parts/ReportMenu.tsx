import { FileDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { frameworkName } from '../lib/format.ts';
import { saveFile } from '../lib/save-file.ts';
import { type Action, toastFailure, useAction } from '../lib/use-action.ts';
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

/** The page shows its error. */
export type ReportDownload = Action<ReportChoice>;

/**
 * Downloads reports of a scan.
 * @param about what the page shows. The error of a report of something else is not shown beside it: it is a toast if the
 * person has gone on meanwhile.
 */
export function useReportDownload(scanId: string, about = scanId): ReportDownload {
  const [asked, setAsked] = useState(about);
  const shown = useRef(about);
  useEffect(() => {
    shown.current = about;
  });
  const download = useAction(
    async ({ framework, kind: { format, type } }: ReportChoice, isShown) => {
      setAsked(about);
      try {
        const parts: Uint8Array<ArrayBuffer>[] = [];
        const choice = { id: scanId, framework, format };
        const report = api.scans.report(choice, { timeoutMs: TIMEOUT_MS });
        for await (const part of report) parts.push(new Uint8Array(part));
        saveFile(`report-${framework}-${scanId}.${format}`, new Blob(parts), type);
      } catch (cause) {
        if (isShown() && shown.current !== about) toastFailure(cause);
        throw cause;
      }
    },
  );
  return asked === about ? download : { ...download, error: null };
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
