import { type EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { ConditionFault } from '../draft.ts';

/** Shows a fault at its place, or none. */
export const setFault = StateEffect.define<ConditionFault | null>();

/** The text of a fault, below its line. Screen readers get it from the page. */
class FaultText extends WidgetType {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override eq(other: FaultText): boolean {
    return other.#text === this.#text;
  }

  toDOM(): HTMLElement {
    const element = document.createElement('div');
    element.className = 'cm-faultText';
    element.textContent = this.#text;
    element.ariaHidden = 'true';
    return element;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

/** The fault that is shown. The first change of the text removes it: only the server knows whether it is still there. */
export const faultMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { docChanged, effects, state }) {
    const effect = effects.findLast((one) => one.is(setFault));
    if (effect !== undefined) return marksOf(state, effect.value);
    return docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function marksOf(state: EditorState, fault: ConditionFault | null): DecorationSet {
  if (fault === null) return Decoration.none;
  const offset = offsetOf(state, fault);
  const line = state.doc.lineAt(offset);
  const text = Decoration.widget({ widget: new FaultText(fault.message), block: true, side: 1 });
  const { from, to } = tokenAt(line.text, offset - line.from);
  const mark = Decoration.mark({ class: 'cm-fault' });
  return Decoration.set([
    ...(from === to ? [] : [mark.range(line.from + from, line.from + to)]),
    text.range(line.to),
  ]);
}

/** The position in the text. The text may have changed since the server read it. */
export function offsetOf({ doc }: EditorState, { place }: ConditionFault): number {
  if (place === null) return doc.length;
  const line = doc.line(Math.min(Math.max(place.line, 1), doc.lines));
  return Math.min(line.from + Math.max(place.column - 1, 0), line.to);
}

/** The word or punctuation at a column, or the last character of a line that ends before it. */
function tokenAt(text: string, column: number): { from: number; to: number } {
  const from = column < text.length ? column : Math.max(0, text.trimEnd().length - 1);
  const token = /^(\w+|\S|\s+)/.exec(text.slice(from, from + 200))?.[0] ?? '';
  return { from, to: from + token.length };
}
