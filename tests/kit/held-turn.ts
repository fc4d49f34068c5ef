import { LARGE_RESULTS } from '../../server/platform/database/large-results.ts';
import { newId } from '../../server/platform/ids.ts';

/** Holds the turn of another tenant. @returns a function that ends it. */
export function holdTurn(): () => Promise<void> {
  let end: () => void = () => undefined;
  const turn = new Promise<void>((resolve) => {
    end = resolve;
  });
  const held = LARGE_RESULTS.run(newId(), () => turn);
  return () => {
    end();
    return held;
  };
}
