import { type ComponentProps, lazy, Suspense, useState } from 'react';

const Dialog = lazy(async () => ({
  default: (await import('./LaunchScanDialog.tsx')).LaunchScanDialog,
}));

/** The dialog that launches a scan, whose code is loaded when it opens. */
export function LaunchScan(props: ComponentProps<typeof Dialog>) {
  const [wasOpen, setWasOpen] = useState(props.open);
  if (props.open && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <Suspense fallback={null}>
      <Dialog {...props} />
    </Suspense>
  );
}
