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
    minHeight: '8.25rem',
    maxHeight: '26.25rem',
    overflow: 'auto',
    fontFamily: 'var(--mono)',
    fontVariantLigatures: 'none',
    lineHeight: '1.6',
    scrollbarWidth: 'thin',
  },
  '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 0.75rem 0 0.5rem' },
  '.cm-gutters': {
    border: '0',
    borderRadius: 'var(--radius) 0 0 var(--radius)',
    backgroundColor: 'transparent',
    color: 'var(--text-3)',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '2.125rem', padding: '0 0.25rem 0 0.625rem' },
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
    textUnderlineOffset: '0.25rem',
    backgroundColor: 'var(--critical-soft)',
  },
  '.cm-faultText': {
    margin: '2px 0.75rem 0.25rem 0.5rem',
    padding: '0.3125rem 0.5625rem',
    borderLeft: '3px solid var(--critical-fill)',
    borderRadius: '0.25rem 0.4375rem 0.4375rem 0.25rem',
    backgroundColor: 'var(--critical-soft)',
    color: 'var(--critical)',
    font: '450 0.78125rem/1.5 "Inter Variable", system-ui, sans-serif',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
  '.cm-tooltip': {
    zIndex: '60',
    border: '1px solid var(--line-strong)',
    borderRadius: '0.625rem',
    backgroundColor: 'var(--raised)',
    boxShadow: 'var(--shadow-2)',
    color: 'var(--text)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    maxHeight: 'none',
    overflow: 'visible',
    minWidth: 'min(17.5rem, 80vw)',
    padding: '0.25rem',
    fontFamily: 'var(--mono)',
    fontSize: '0.78125rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: '0.625rem',
    padding: '3px 0.5rem',
    borderRadius: '0.375rem',
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
    maxWidth: '18.75rem',
    margin: '0 0.25rem',
    padding: '0.5rem 0.625rem',
    color: 'var(--text-2)',
    font: '400 0.78125rem/1.5 "Inter Variable", system-ui, sans-serif',
  },
});

const selection = EditorView.theme({
  '.cm-content ::selection': {
    backgroundColor: 'color-mix(in oklab, var(--accent) 26%, transparent)',
  },
});

export const theme = [looks, selection, syntaxHighlighting(colours)];
