/**
 * Gives the focus to what follows a part of the page that had it and is gone, such as the button behind a form. Somebody who
 * has moved the focus elsewhere keeps it. Can be a `ref`, which is called when the element appears.
 */
export function takeLostFocus(element: HTMLElement | null | undefined): void {
  if (document.activeElement === document.body) element?.focus();
}
