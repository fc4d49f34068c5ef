import { useEffect } from 'react';

/** Sets the title of the document while a screen is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · CSPM`;
  }, [title]);
}
