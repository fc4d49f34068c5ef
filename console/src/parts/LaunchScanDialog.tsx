import { useNavigate } from '@tanstack/react-router';
import { Dialog } from '../ui/Dialog.tsx';
import { toast } from '../ui/Toasts.tsx';
import { LaunchScanForm } from './LaunchScanForm.tsx';

interface LaunchDialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  /** The projects that are selected at first. */
  readonly initial?: readonly string[];
}

/** Launches a scan and opens its page. */
export function LaunchScanDialog({ open, onClose, initial }: LaunchDialogProps) {
  const navigate = useNavigate();
  return (
    <Dialog
      open={open}
      title="Launch a scan"
      description="The projects are checked first. You see the result before the scan starts."
      size="wide"
      onClose={onClose}
    >
      <LaunchScanForm
        {...(initial === undefined ? {} : { initial })}
        onCancel={onClose}
        onLaunched={({ id }, isShown) => {
          toast('Scan launched');
          if (!isShown) return;
          onClose();
          void navigate({ to: '/scans/$id', params: { id } });
        }}
      />
    </Dialog>
  );
}
