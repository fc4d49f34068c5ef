import {
  createContext,
  type FormEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

/** The values of a form by the names of its fields. */
export type FormValues = Readonly<Record<string, string>>;

/** A field as its form knows it. */
interface Registered {
  readonly name: string;
  /** Checks the value and shows the message, if there is one. */
  readonly check: () => boolean;
  readonly focus: () => void;
}

interface FormContext {
  readonly register: (field: Registered) => () => void;
  /** What the server said about fields, by name. */
  readonly errors: Readonly<Record<string, string>>;
  /** The names of the fields that are in the form now. */
  readonly names: ReadonlySet<string>;
}

const Context = createContext<FormContext | null>(null);
const NO_ERRORS = {};
const NO_NAMES: ReadonlySet<string> = new Set();

interface FormProps {
  readonly className?: string | undefined;
  /** Faults that the server found, by the name of the field. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Called if every field is valid. */
  readonly onFormSubmit: (values: FormValues) => void;
  readonly children: ReactNode;
}

/** A form whose fields show their own messages. The first invalid field gets the focus. */
export function Form({ className, errors = NO_ERRORS, onFormSubmit, children }: FormProps) {
  const fields = useRef(new Set<Registered>());
  const [names, setNames] = useState<ReadonlySet<string>>(NO_NAMES);
  const register = useCallback((field: Registered) => {
    fields.current.add(field);
    const update = () => setNames(new Set([...fields.current].map(({ name }) => name)));
    update();
    return () => {
      fields.current.delete(field);
      update();
    };
  }, []);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A dialog inside another form: the event would reach that form too.
    event.stopPropagation();
    const invalid = [...fields.current].filter((field) => !field.check());
    if (invalid[0] !== undefined) {
      invalid[0].focus();
      return;
    }
    const values = [...new FormData(event.currentTarget)].map(([name, value]) => [
      name,
      String(value),
    ]);
    onFormSubmit(Object.fromEntries(values));
  };
  return (
    <Context.Provider value={{ register, errors, names }}>
      <form className={className} noValidate onSubmit={submit}>
        {children}
      </form>
    </Context.Provider>
  );
}

/** The names of the fields of the form around it that show a fault which the server found. */
export function useFieldsWithErrors(): ReadonlySet<string> {
  const form = useContext(Context);
  if (form === null) return NO_NAMES;
  return new Set(Object.keys(form.errors).filter((name) => form.names.has(name)));
}

interface FieldState {
  readonly id: string;
  readonly messageId: string;
  /** What is wrong with the value; null: nothing is known to be wrong. */
  readonly message: string | null;
  /** To be called after each change of the value. */
  readonly changed: () => void;
}

/**
 * Connects an input with its form.
 * @param check runs on submit, and after a fault on each change.
 */
export function useField(name: string, check: () => string | null, focus: () => void): FieldState {
  const form = useContext(Context);
  const id = useId();
  const [message, setMessage] = useState<string | null>(null);
  // The error object is new for each answer of the server; a change of the value hides its message.
  const [seen, setSeen] = useState<object | null>(null);
  const latest = useRef({ check, focus });
  useEffect(() => {
    latest.current = { check, focus };
  });
  const register = form?.register;
  useEffect(
    () =>
      register?.({
        name,
        check: () => {
          const found = latest.current.check();
          setMessage(found);
          return found === null;
        },
        focus: () => latest.current.focus(),
      }),
    [register, name],
  );
  const errors = form?.errors ?? NO_ERRORS;
  const fromServer = errors === seen ? null : ((errors as Record<string, string>)[name] ?? null);
  return {
    id,
    messageId: `${id}-message`,
    message: message ?? fromServer,
    changed: () => {
      setSeen(errors);
      if (message !== null) setMessage(latest.current.check());
    },
  };
}
