import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './tokens.css';
import { ApiError } from '@cspm/sdk';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { codeMissing } from './connection.ts';
import { loadQueries } from './load-queries.ts';
import { forgetData } from './loaded-data.ts';
import { router } from './router.ts';
import { onSessionLost, onSessionOpened, sessionState } from './session.ts';
import { Toasts, toast } from './ui/Toasts.tsx';

/** A session that ends while a screen is open leads to the sign-in page and back to the screen afterwards. */
sessionState.subscribe((state) => {
  if (state !== 'signed-out') return;
  forgetData();
  void router.invalidate();
});

onSessionLost(() => toast('Your session has ended. Sign in again.', { tone: 'bad' }));

/** Another tab may have signed in somebody else. */
onSessionOpened(() => void reloadIdentity().catch(ignoreFailure));

async function reloadIdentity(): Promise<void> {
  const { identityQuery, queryClient } = await loadQueries();
  await queryClient.refetchQueries({ queryKey: identityQuery.queryKey });
}

/** The screen shows the failure of its own calls. */
function ignoreFailure(): void {}

/** Prevented: the import fails with an error that no library takes as a reason to reload. `ScreenFailure` decides. */
addEventListener('vite:preloadError', (event) => {
  event.preventDefault();
  codeMissing.set(true);
});

const forcedColors = matchMedia('(forced-colors: active)');
/** Loads the styles that only systems with forced colours need. */
function keepStatesVisible(): void {
  if (forcedColors.matches) void import('./forced-colors.css').catch(ignoreFailure);
}
forcedColors.addEventListener('change', keepStatesVisible);
keepStatesVisible();

const element = document.getElementById('root');
if (element === null) throw new Error('The page has no #root');
createRoot(element, {
  // `ScreenFailure` explains missing code and failed calls; only other errors are reported.
  onCaughtError: (error) => codeMissing.get() || error instanceof ApiError || reportError(error),
}).render(
  <>
    <RouterProvider router={router} />
    <Toasts />
  </>,
);
