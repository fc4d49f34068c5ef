import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  completionStatus,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentLess, insertTab } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import type { AssetFields } from '@cspm/sdk';
import { useEffect, useMemo, useRef } from 'react';
import type { ConditionFault, DraftTest } from '../draft.ts';
import { completeWith, type Field } from './completion.ts';
import { faultMarks, offsetOf, setFault } from './fault-marks.ts';
import { cel } from './language.ts';
import { replaceSelection } from './replace-selection.ts';
import { fieldsFor } from './sample-fields.ts';
import { theme } from './theme.ts';

export interface CelEditorProps {
  /** The name of the field for screen readers. */
  readonly label: string;
  /** The text at first. Give the editor another `key` to replace what it contains. */
  readonly initialValue: string;
  /** Left out: the text can only be read. */
  readonly onChange?: ((value: string) => void) | undefined;
  readonly fault: ConditionFault | null;
  /** Changes when the person asks to be led to the fault. */
  readonly focusFault?: object | undefined;
  /** The fields of the assets, for completion. Undefined: not known. */
  readonly inventory?: AssetFields | undefined;
  /** Their assets have fields too. */
  readonly tests: readonly DraftTest[];
  /** The person presses Ctrl+Enter or ⌘Enter. */
  readonly onRun?: (() => void) | undefined;
  readonly onFocus?: (() => void) | undefined;
  readonly hint?: string | undefined;
}

/** The bar of the form covers the end of the page. The style sheet has the same number. */
const BAR_HEIGHT = 96;

/**
 * A condition with colours, completion and its fault in place. The editor stands in a shadow root: there its styles are
 * adopted style sheets, which the Content-Security-Policy allows, and not `style` elements.
 */
export function CelEditor(props: CelEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const attributes = useRef(new Compartment());
  const latest = useRef(props);
  const { inventory, tests } = props;
  const known = useMemo(() => fieldsFor(inventory, tests), [inventory, tests]);
  const fields = useRef(known);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    fields.current = known;
    // A list that was opened before the fields were loaded lacks them.
    const { current } = view;
    if (current !== null && completionStatus(current.state) !== null) startCompletion(current);
  }, [known]);
  useEffect(() => {
    if (host.current === null) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: latest.current.initialValue,
        extensions: extensionsFor(
          () => latest.current,
          () => fields.current,
          attributes.current,
        ),
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);

  const { fault, focusFault, label, hint } = props;
  const isInvalid = fault !== null;
  useEffect(() => {
    view.current?.dispatch({
      effects: attributes.current.reconfigure(described(label, hint, isInvalid)),
    });
  }, [label, hint, isInvalid]);
  useEffect(() => {
    view.current?.dispatch({ effects: setFault.of(fault) });
  }, [fault]);
  useEffect(() => {
    const { current } = view;
    const at = latest.current.fault;
    if (focusFault === undefined || current === null || at === null) return;
    current.dispatch({ selection: { anchor: offsetOf(current.state, at) }, scrollIntoView: true });
    current.focus();
  }, [focusFault]);

  return <div ref={host} />;
}

function extensionsFor(
  props: () => CelEditorProps,
  fields: () => readonly Field[],
  attributes: Compartment,
): Extension {
  const { onChange, label, hint, fault } = props();
  const isReadOnly = onChange === undefined;
  return [
    // Before the keys of completion: Escape, then Tab leaves the editor also if the Escape closes a list.
    Prec.highest(keymap.of([{ key: 'Escape', run: letTabLeave }])),
    cel,
    theme,
    lineNumbers(),
    highlightActiveLineGutter(),
    history(),
    bracketMatching(),
    closeBrackets(),
    EditorView.lineWrapping,
    EditorView.scrollMargins.of(() => ({ bottom: BAR_HEIGHT })),
    autocompletion({
      override: [completeWith(fields)],
      icons: false,
      // Few enough to fit: a list that scrolls would have to take the focus.
      maxRenderedOptions: 10,
      // A person sees the list before they press a key; the default ignores keys for 75 ms.
      interactionDelay: 0,
    }),
    replaceSelection,
    faultMarks,
    attributes.of(described(label, hint, fault !== null)),
    EditorState.readOnly.of(isReadOnly),
    EditorView.editable.of(!isReadOnly),
    ...(isReadOnly ? [] : [placeholder('!has(resource.data.labels)')]),
    keymap.of([
      { key: 'Mod-Enter', run: () => run(props().onRun) },
      { key: 'Tab', run: acceptCompletion },
      { key: 'Tab', run: insertTab, shift: indentLess },
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) props().onChange?.(state.doc.toString());
    }),
    EditorView.domEventHandlers({
      focus: () => {
        props().onFocus?.();
        return false;
      },
    }),
  ];
}

/** How long the Tab after an Escape may take; another key ends it. */
const TAB_LEAVES_MS = 10_000;

function letTabLeave(view: EditorView): boolean {
  view.setTabFocusMode(TAB_LEAVES_MS);
  return false;
}

function described(label: string, hint: string | undefined, isInvalid: boolean): Extension {
  return EditorView.contentAttributes.of({
    'aria-label': label,
    ...(hint === undefined ? {} : { 'aria-description': hint }),
    ...(isInvalid ? { 'aria-invalid': 'true' } : {}),
    spellcheck: 'false',
    autocapitalize: 'off',
  });
}

function run(action: (() => void) | undefined): boolean {
  action?.();
  return action !== undefined;
}
