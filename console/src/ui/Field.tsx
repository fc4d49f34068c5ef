import { type ComponentProps, type ReactNode, useRef } from 'react';
import { errorText } from '../lib/error-text.ts';
import styles from './Field.module.css';
import { useField, useFieldsWithErrors } from './Form.tsx';

type Native = Omit<ComponentProps<'input'>, 'size' | 'ref' | 'id' | 'defaultValue' | 'value'>;

interface TextFieldProps extends Native {
  /** Also the name of the value in the form, and of the server's errors about it. */
  readonly name: string;
  readonly label: string;
  readonly description?: ReactNode;
  /** A message if the value is not acceptable; null: it is. Runs on submit, and after a fault on each change. */
  readonly check?: (value: string) => string | null;
  /** Several lines: the number that is visible. */
  readonly rows?: number;
  readonly mono?: boolean;
  readonly value?: string;
  readonly defaultValue?: string | undefined;
}

/** A labelled text input with its messages. Use it in a `<Form>`. */
export function TextField(props: TextFieldProps) {
  const { name, label, description, check, rows, mono, onInput, ...rest } = props;
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const { id, messageId, message, changed } = useField(
    name,
    () => faultOf(input.current, label, check),
    () => input.current?.focus(),
  );
  const descriptionId = description === undefined ? undefined : `${id}-description`;
  const Control = (rows === undefined ? 'input' : 'textarea') as 'input';
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <Control
        {...rest}
        {...(rows === undefined ? {} : { rows })}
        ref={input}
        id={id}
        name={name}
        className={styles.input}
        data-mono={mono || undefined}
        aria-invalid={message !== null || undefined}
        aria-describedby={[message === null ? undefined : messageId, descriptionId]
          .filter((one) => one !== undefined)
          .join(' ')}
        onInput={(event) => {
          changed();
          onInput?.(event);
        }}
      />
      {description !== undefined && (
        <p id={descriptionId} className={styles.description}>
          {description}
        </p>
      )}
      {message !== null && (
        <p id={messageId} className={styles.error}>
          {message}
        </p>
      )}
    </div>
  );
}

function faultOf(
  input: HTMLInputElement | null,
  label: string,
  check: TextFieldProps['check'],
): string | null {
  if (input === null) return null;
  const { validity, value, type, minLength } = input;
  if (validity.valueMissing || (input.required && value.trim() === ''))
    return `${label} is required.`;
  if (validity.typeMismatch) {
    return type === 'email' ? 'This is not an e-mail address.' : 'This is not a valid address.';
  }
  // The browser checks lengths only after an edit by hand.
  if (minLength > 0 && value.length < minLength) return `Use at least ${minLength} characters.`;
  if (!validity.valid) return input.validationMessage;
  return check?.(value) ?? null;
}

interface FailureProps {
  readonly error: unknown;
  /** The paths of faults that the form shows besides those of its fields. */
  readonly shown?: readonly string[];
}

/** A message about a failed call of the form around it, without the faults that the form shows elsewhere. */
export function FormFailure({ error, shown: others = [] }: FailureProps) {
  const shown = new Set([...useFieldsWithErrors(), ...others]);
  return <FormError>{error === null ? null : errorText(error, shown)}</FormError>;
}

/** A message about a whole form, announced by screen readers. */
export function FormError({ children }: { readonly children: ReactNode }) {
  if (children === null || children === undefined || children === '') return null;
  return (
    <p role="alert" className={styles.formError}>
      {children}
    </p>
  );
}
