import type { Scan } from '@cspm/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { dateTime, plural } from '../../lib/format.ts';
import { api } from '../../session.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../ui/Dialog.tsx';
import { Loaded } from '../../ui/Loaded.tsx';
import { Select } from '../../ui/Select.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { EmptyState } from '../../ui/States.tsx';

interface ChooseScanProps {
  /** The scan to compare. */
  readonly id: string;
  /** Its projects; undefined: not known yet. */
  readonly projects: readonly string[] | undefined;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks for an earlier scan of the same projects, and opens the comparison with it. */
export function ChooseScanDialog({ open, onClose, ...of }: ChooseScanProps) {
  return (
    <Dialog
      open={open}
      title="Compare with an earlier scan"
      description="You see which findings are new, resolved, reopened and unchanged since then."
      wouldLose={false}
      onClose={onClose}
    >
      <Choice {...of} onClose={onClose} />
    </Dialog>
  );
}

function Choice({ id, projects, onClose }: Omit<ChooseScanProps, 'open'>) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<string | null>(null);
  const scans = useQuery({
    queryKey: ['scans', 'earlier', id, projects],
    queryFn: () =>
      api.scans.list({
        status: ['completed', 'partial'],
        project: projects?.slice(0, 100),
        limit: 100,
      }),
    enabled: projects !== undefined,
  });
  if (scans.data === undefined) {
    return (
      <Loaded query={scans}>
        <Skeleton height={60} />
      </Loaded>
    );
  }
  // Ids are in the order of time.
  const earlier = scans.data.items.filter((scan) => scan.id < id);
  const [previous] = earlier;
  if (previous === undefined) {
    return (
      <EmptyState title="There is no earlier scan">
        <p>
          {scans.data.nextCursor === null
            ? 'No scan of these projects completed before this one.'
            : 'None of the newest 100 scans of these projects is earlier than this one.'}
        </p>
      </EmptyState>
    );
  }
  const value = chosen ?? previous.id;
  return (
    <>
      <Select
        label="Earlier scan"
        options={earlier.map((scan) => ({ value: scan.id, label: labelOf(scan) }))}
        value={value}
        onChange={setChosen}
      />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          onClick={() => {
            onClose();
            void navigate({
              to: '/scans/$id/compare',
              params: { id },
              search: { with: value },
            });
          }}
        >
          Compare
        </Button>
      </DialogActions>
    </>
  );
}

function labelOf({ createdAt, profile, projects }: Scan): string {
  return `${dateTime(createdAt)}, ${profile}, ${plural(projects.length, 'project')}`;
}
