import { Link } from '@tanstack/react-router';
import { buttonLook } from '../../ui/Button.tsx';

/** Leads to the sign-in page after the work of a link is done. */
export function SignInLink() {
  return (
    <Link to="/sign-in" {...buttonLook('primary')} data-wide>
      Sign in
    </Link>
  );
}
