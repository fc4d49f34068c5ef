import { createElement, Fragment } from 'react';

/** A text in which what is between backticks is code. */
export function CodeSpans({ text }: { readonly text: string }) {
  const parts = text.split(/`([^`]+)`/);
  const shown = parts.map((part, index) =>
    index % 2 === 1 ? createElement('code', null, part) : part,
  );
  // Given one by one, they need no keys.
  return createElement(Fragment, null, ...shown);
}
