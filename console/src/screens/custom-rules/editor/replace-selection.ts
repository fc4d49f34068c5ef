import { EditorView } from '@codemirror/view';

/**
 * Replaces selected text itself. Left to the browser, the new text gets a `style` attribute that keeps the look of the
 * old one, and the Content-Security-Policy forbids it.
 */
export const replaceSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const text = textOf(event);
    if (text === null || event.isComposing || view.state.readOnly) return false;
    const { from, to } = selectedIn(view);
    if (from === to) return false;
    const insert = () =>
      view.state.update({
        changes: { from, to, insert: text },
        selection: { anchor: from + text.length },
        scrollIntoView: true,
        userEvent: text === '' ? 'delete.selection' : 'input.type',
      });
    const isHandled =
      text !== '' &&
      view.state
        .facet(EditorView.inputHandler)
        .some((handle) => handle(view, from, to, text, insert));
    if (!isHandled) view.dispatch(insert());
    return true;
  },
});

/** What the browser would put in place of the selection; null: something else happens. */
function textOf({ inputType, data }: InputEvent): string | null {
  if (/^deleteContent/.test(inputType)) return '';
  return inputType === 'insertText' ? data : null;
}

/** The selection of the page, which the editor may not know yet. Browsers without `getSelection` here: the editor's. */
function selectedIn(view: EditorView): { readonly from: number; readonly to: number } {
  const root = view.root as DocumentOrShadowRoot & { getSelection?: () => Selection | null };
  const {
    anchorNode = null,
    anchorOffset = 0,
    focusNode = null,
    focusOffset = 0,
  } = root.getSelection?.() ?? {};
  const isInside = view.contentDOM.contains(anchorNode) && view.contentDOM.contains(focusNode);
  if (!isInside || anchorNode === null || focusNode === null) return view.state.selection.main;
  const anchor = view.posAtDOM(anchorNode, anchorOffset);
  const focus = view.posAtDOM(focusNode, focusOffset);
  return { from: Math.min(anchor, focus), to: Math.max(anchor, focus) };
}
