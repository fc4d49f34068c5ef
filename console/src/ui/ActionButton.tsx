import type { ComponentProps } from 'react';
import { errorText } from '../lib/error-text.ts';
import { useAction } from '../lib/use-action.ts';
import styles from './ActionButton.module.css';
import { Button } from './Button.tsx';
import { FormError } from './Field.tsx';

interface ActionButtonProps extends Omit<ComponentProps<typeof Button>, 'busy' | 'onClick'> {
  readonly action: () => Promise<unknown>;
}

/**
 * A button of a table row with an action of its own: other rows stay usable while it runs. A failure is shown below the
 * buttons of the row, whose container is flexible and wraps.
 */
export function ActionButton({ action, ...rest }: ActionButtonProps) {
  const { isBusy, error, run } = useAction(action);
  return (
    <>
      <Button {...rest} busy={isBusy} onClick={() => run()} />
      {error !== null && (
        <span className={styles.failure}>
          <FormError>{errorText(error)}</FormError>
        </span>
      )}
    </>
  );
}
