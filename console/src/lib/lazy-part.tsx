import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react';

/** How long the page may be busy until the code is loaded all the same, in milliseconds. */
const IDLE_WITHIN_MS = 4000;

export interface LazyPart<Props> {
  (props: Props): ReactNode;
  /** Loads the code when the page has nothing else to do. */
  readonly prefetch: () => void;
}

/** A part of a screen whose code is not needed to show the screen, such as a dialog. Shows nothing while it loads. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyPart<Props> {
  let loading: Promise<{ default: ComponentType<Props> }> | undefined;
  const loaded = () => {
    loading ??= load().then((component) => ({ default: component }));
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  const Part = lazy(loaded) as ComponentType<Props>;
  const part = (props: Props) => <Suspense fallback={null}>{createElement(Part, props)}</Suspense>;
  return Object.assign(part, {
    prefetch: () => {
      // Safari has no requestIdleCallback.
      if (typeof requestIdleCallback === 'function')
        requestIdleCallback(() => void loaded().catch(ignore), { timeout: IDLE_WITHIN_MS });
      else setTimeout(() => void loaded().catch(ignore), IDLE_WITHIN_MS);
    },
  });
}

/** The part is loaded again when it is shown. */
function ignore(): void {}
