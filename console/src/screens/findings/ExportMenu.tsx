import { Download } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { saveFile } from '../../lib/save-file.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { toast } from '../../ui/Toasts.tsx';
import type { Filters } from './search.ts';

const FORMATS = [
  { format: 'csv', label: 'CSV', hint: 'spreadsheets', type: 'text/csv' },
  { format: 'ndjson', label: 'NDJSON', hint: 'programs', type: 'application/x-ndjson' },
  { format: 'sarif', label: 'SARIF', hint: 'code scanning', type: 'application/sarif+json' },
  { format: 'ocsf', label: 'OCSF', hint: 'SIEM', type: 'application/x-ndjson' },
] as const;

/** A large tenant takes minutes. */
const TIMEOUT_MS = 3_600_000;

/** Downloads the findings that match the search as a file. */
export function ExportMenu({ filters }: { readonly filters: Filters }) {
  const [isBusy, setBusy] = useState(false);
  const download = async ({ format, type }: (typeof FORMATS)[number]) => {
    setBusy(true);
    try {
      const parts: string[] = [];
      const text = api.findings.export({ format, ...filters }, { timeoutMs: TIMEOUT_MS });
      for await (const part of text) parts.push(part);
      saveFile(`findings.${format}`, new Blob(parts), type);
    } catch (error) {
      toast(errorText(error), { tone: 'bad' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu
      align="end"
      trigger={
        <Button busy={isBusy}>
          {!isBusy && <Download size={14} aria-hidden />}
          Export
        </Button>
      }
      groups={[
        {
          label: 'Export the findings that match',
          items: FORMATS.map((one) => ({
            label: one.label,
            hint: one.hint,
            onSelect: () => void download(one),
          })),
        },
      ]}
    />
  );
}
