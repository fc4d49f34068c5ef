import { useNavigate } from '@tanstack/react-router';
import { Keyboard, LogOut, MonitorX, UserRound } from 'lucide-react';
import { useState } from 'react';
import { singleKeys } from '../lib/single-keys.ts';
import { hasUnsavedWork } from '../lib/unsaved-work.ts';
import { useIdentity } from '../queries.ts';
import { signOut, signOutEverywhere } from '../session.ts';
import { Hidden } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/Dialog.tsx';
import { Menu } from '../ui/Menu.tsx';
import { leaveSession } from './LeaveSessionQuestion.tsx';
import { shortcutsOpen } from './overlay-state.ts';
import styles from './Shell.module.css';

/** The person who is signed in, with sign-out. */
export function UserMenu() {
  const { user } = useIdentity();
  const navigate = useNavigate();
  const [isConfirming, setConfirming] = useState(false);
  const areKeysOn = singleKeys.use();
  const name = user?.name ?? user?.email ?? 'Signed in';
  return (
    <>
      <Menu
        side="top"
        trigger={
          <button type="button" className={styles.userButton}>
            <span className={styles.avatar} aria-hidden="true">
              {initials(name)}
            </span>
            <span className={styles.tenantName}>
              <span>
                <Hidden>Account of </Hidden>
                {name}
              </span>
              <small>{user?.email}</small>
            </span>
          </button>
        }
        groups={[
          {
            items: [
              {
                label: 'Your account',
                icon: <UserRound size={15} aria-hidden />,
                onSelect: () => void navigate({ to: '/account' }),
              },
              {
                label: 'Keyboard shortcuts',
                icon: <Keyboard size={15} aria-hidden />,
                ...(areKeysOn && { hint: '?' }),
                onSelect: () => shortcutsOpen.set(true),
              },
            ],
          },
          {
            items: [
              {
                label: 'Sign out',
                icon: <LogOut size={15} aria-hidden />,
                onSelect: () => leaveSession('Sign out', signOut),
              },
              {
                label: 'Sign out everywhere',
                icon: <MonitorX size={15} aria-hidden />,
                danger: true,
                onSelect: () => setConfirming(true),
              },
            ],
          },
        ]}
      />
      <ConfirmDialog
        open={isConfirming}
        title="Sign out everywhere?"
        confirm="Sign out everywhere"
        danger
        onClose={() => setConfirming(false)}
        onConfirm={signOutEverywhere}
      >
        All your sessions end at once, in every browser and every tenant, including this one. Your
        API keys keep working.
        {hasUnsavedWork() && ' Changes that are not saved are lost, and a running upload stops.'}
      </ConfirmDialog>
    </>
  );
}

const characters = new Intl.Segmenter('en');

/** The first characters of two words. An emoji is one character of several code points. */
function initials(name: string): string {
  const words = name.split(/[\s@.]+/).filter((word) => word !== '');
  return words
    .slice(0, 2)
    .map((word) => [...characters.segment(word)][0]?.segment.toUpperCase())
    .join('');
}
