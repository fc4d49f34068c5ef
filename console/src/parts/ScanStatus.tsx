import type { Scan } from '@cspm/sdk';
import { Badge, type Tone } from '../ui/Button.tsx';
import { STATUS_LABEL } from './scan-statuses.ts';

const TONES: Record<Scan['status'], Tone | undefined> = {
  queued: undefined,
  running: 'new',
  completed: 'good',
  partial: 'warn',
  failed: 'bad',
  cancelled: undefined,
};

export function ScanStatus({ status }: { readonly status: Scan['status'] }) {
  return <Badge tone={TONES[status]}>{STATUS_LABEL[status]}</Badge>;
}
