/**
 * Gives the focus to what follows a part of the page that had it and is gone, such as the button behind a form, or a
 * link to another page. Somebody who has moved the focus elsewhere keeps it. Can be a `ref`, which is called when the element
 * appears.
 */
export function takeLostFocus(element: HTMLElement | null | undefined): void {
  const { activeElement, body } = document;
  // The content as a whole gets the focus on a new page, before the page has loaded its parts.
  if (activeElement === body || activeElement?.id === 'main')
    element?.focus({ preventScroll: element.id === 'main' });
}
