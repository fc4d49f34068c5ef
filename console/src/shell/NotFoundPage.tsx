import { Link } from '@tanstack/react-router';
import { useTitle } from '../lib/use-title.ts';
import { buttonLook } from '../ui/Button.tsx';
import { EmptyState } from '../ui/States.tsx';

export function NotFoundPage() {
  useTitle('Page not found');
  return (
    <main>
      <EmptyState
        isScreen
        title="This page does not exist"
        actions={
          <Link to="/" {...buttonLook('primary')}>
            Open the console
          </Link>
        }
      >
        <p>The address may be misspelled, or the page may have moved.</p>
      </EmptyState>
    </main>
  );
}
