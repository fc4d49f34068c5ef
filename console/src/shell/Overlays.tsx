import { lazy, Suspense } from 'react';
import { sessionState } from '../session.ts';
import { stepUp } from '../step-up.ts';
import { paletteOpen, shortcutsOpen } from './overlay-state.ts';

// Each is a part of a page with a session, which has loaded it already.
const Data = lazy(() => import('./Data.tsx'));
const CommandPalette = lazy(() => import('./CommandPalette.tsx'));
const ShortcutsDialog = lazy(() => import('./ShortcutsDialog.tsx'));
const StepUpDialog = lazy(() => import('./StepUpDialog.tsx'));

/** Dialogs that any screen can open. Their code is loaded when they are opened first. */
export function Overlays() {
  const isSignedIn = sessionState.use() === 'signed-in';
  const isPaletteOpen = paletteOpen.use();
  const areShortcutsOpen = shortcutsOpen.use();
  const request = stepUp.use();
  const isAnyOpen = isPaletteOpen || areShortcutsOpen || request !== null;
  return (
    <Suspense fallback={null}>
      {isAnyOpen && (
        <Data>
          {isPaletteOpen && isSignedIn && <CommandPalette />}
          {areShortcutsOpen && isSignedIn && <ShortcutsDialog />}
          {request !== null && isSignedIn && <StepUpDialog request={request} />}
        </Data>
      )}
    </Suspense>
  );
}
