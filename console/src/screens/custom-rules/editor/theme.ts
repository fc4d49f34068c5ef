import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The colours come from the custom properties of the page, which a shadow root inherits: a change of theme needs no code. */
const colours = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent-text)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--high)' },
  { tag: tags.comment, color: 'var(--text-3)', fontStyle: 'italic' },
  { tag: tags.function(tags.variableName), color: 'var(--low)' },
  { tag: tags.special(tags.variableName), color: 'var(--accent-text)' },
  { tag: tags.propertyName, color: 'var(--text)' },
  { tag: [tags.operator, tags.punctuation, tags.bracket], color: 'var(--text-2)' },
]);

const looks = EditorView.theme({
  '&': {
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    fontSize: 'var(--editor-size)',
  },
  '&.cm-focused': { outline: '2px solid var(--ring)', outlineOffset: '1px' },
  '.cm-scroller': {
    minHeight: '132px',
    maxHeight: '420px',
    overflow: 'auto',
    fontFamily: 'var(--mono)',
    fontVariantLigatures: 'none',
    lineHeight: '1.6',
    scrollbarWidth: 'thin',
  },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-gutters': {
    border: '0',
    borderRadius: 'var(--radius) 0 0 var(--radius)',
    backgroundColor: 'transparent',
    color: 'var(--text-3)',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '34px', padding: '0 4px 0 10px' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '&.cm-focused .cm-matchingBracket': {
    borderRadius: '3px',
    backgroundColor: 'color-mix(in oklab, var(--accent) 20%, transparent)',
  },
  '&.cm-focused .cm-nonmatchingBracket': {
    borderRadius: '3px',
    backgroundColor: 'var(--critical-soft)',
    color: 'var(--critical)',
  },
  '.cm-fault': {
    textDecoration: 'underline wavy var(--critical-fill) 1.5px',
    textUnderlineOffset: '4px',
    backgroundColor: 'var(--critical-soft)',
  },
  '.cm-faultText': {
    margin: '2px 12px 4px 8px',
    padding: '5px 9px',
    borderLeft: '3px solid var(--critical-fill)',
    borderRadius: '4px 7px 7px 4px',
    backgroundColor: 'var(--critical-soft)',
    color: 'var(--critical)',
    font: '450 12.5px/1.5 "Inter Variable", system-ui, sans-serif',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  '.cm-tooltip': {
    zIndex: '60',
    border: '1px solid var(--line-strong)',
    borderRadius: '10px',
    backgroundColor: 'var(--raised)',
    boxShadow: 'var(--shadow-2)',
    color: 'var(--text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    maxHeight: 'none',
    overflow: 'visible',
    minWidth: 'min(280px, 80vw)',
    padding: '4px',
    fontFamily: 'var(--mono)',
    fontSize: '12.5px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: '10px',
    padding: '3px 8px',
    borderRadius: '6px',
    lineHeight: '1.6',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--chosen)',
    color: 'var(--text)',
  },
  '.cm-completionMatchedText': {
    color: 'var(--accent-text)',
    fontWeight: '650',
    textDecoration: 'none',
  },
  '.cm-completionDetail': {
    flex: '1',
    marginLeft: '0',
    overflow: 'hidden',
    color: 'var(--text-3)',
    fontStyle: 'normal',
    textAlign: 'right',
    textOverflow: 'ellipsis',
  },
  '.cm-tooltip.cm-completionInfo': {
    maxWidth: '300px',
    margin: '0 4px',
    padding: '8px 10px',
    color: 'var(--text-2)',
    font: '400 12.5px/1.5 "Inter Variable", system-ui, sans-serif',
  },
});

const selection = EditorView.theme({
  '.cm-content ::selection': {
    backgroundColor: 'color-mix(in oklab, var(--accent) 26%, transparent)',
  },
});

export const theme = [looks, selection, syntaxHighlighting(colours)];
