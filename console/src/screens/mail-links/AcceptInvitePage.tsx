import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../session.ts';
import styles from '../../ui/Outside.module.css';
import { ConfirmLink } from './ConfirmLink.tsx';

const route = getRouteApi('/accept-invite');

/** Accepts an invitation of somebody who has an account. People without one set a password instead. */
export function AcceptInvitePage() {
  const { token } = route.useSearch();
  return (
    <ConfirmLink
      title="Accept the invitation"
      text="You join the tenant with your existing account. Your password stays the same."
      button="Accept the invitation"
      done="You have joined. Sign in with your existing password."
      token={token}
      onConfirm={(known) => api.auth.acceptInvite({ token: known })}
      expired={
        <p className={styles.text}>
          Ask the administrator who invited you to send the invitation again.
        </p>
      }
    />
  );
}
