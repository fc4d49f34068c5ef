import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouter } from '@tanstack/react-router';
import { Menu as MenuIcon, Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { forgetDraftsOfOthers } from '../lib/kept-drafts.ts';
import { takeLostFocus } from '../lib/take-lost-focus.ts';
import { useShortcuts } from '../lib/use-shortcuts.ts';
import { identityQuery, ownerOf, useIdentity } from '../queries.ts';
import { Button, Hidden, Kbd } from '../ui/Button.tsx';
import { Modal } from '../ui/Dialog.tsx';
import { toast } from '../ui/Toasts.tsx';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import Data from './Data.tsx';
import { LeaveSessionQuestion } from './LeaveSessionQuestion.tsx';
import { paletteOpen, shortcutsOpen } from './overlay-state.ts';
import './ScreenFailure.tsx';
import styles from './Shell.module.css';
import { TenantMenu } from './TenantMenu.tsx';
import { ThemeButton } from './ThemeButton.tsx';
import { UserMenu } from './UserMenu.tsx';
import { useNavigation } from './use-navigation.ts';

const IS_MAC = /Mac|iP(hone|ad)/.test(navigator.userAgent);

/** How often a visible page looks whether the role or the session has changed, in milliseconds. */
const LOOK_EVERY_MS = 5 * 60_000;

/**
 * The frame around every screen behind the sign-in, with the data that screens share. The key: a dialog or a form of one
 * person or tenant must not act for another after a sign-in in another tab.
 */
export function Shell() {
  const identity = useIdentity();
  const shown = useRef(identity);
  useEffect(() => {
    const { user, tenant } = shown.current;
    shown.current = identity;
    if (user?.id !== identity.user?.id) say(`signed in as ${identity.user?.email}`);
    else if (tenant.id !== identity.tenant.id) say(`signed in to ${identity.tenant.name}`);
  }, [identity]);
  return (
    <Data>
      <Frame key={ownerOf(identity)} userId={identity.user?.id ?? ''} />
    </Data>
  );
}

/** Forms and what was shown once are gone, and nobody did anything in this tab. */
function say(what: string): void {
  toast(`Another tab has ${what}. This tab has switched too.`, { tone: 'bad' });
}

function Frame({ userId }: { readonly userId: string }) {
  useNavigationShortcuts();
  useFocusOnNewPage();
  useEffect(startReloads, []);
  useEffect(() => forgetDraftsOfOthers(userId), [userId]);
  useEffect(
    () => () => {
      paletteOpen.set(false);
      shortcutsOpen.set(false);
    },
    [],
  );
  // Somebody who comes back to the tab sees at once what an administrator has changed meanwhile.
  useQuery({ ...identityQuery, refetchOnWindowFocus: 'always', refetchInterval: LOOK_EVERY_MS });
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <aside className={styles.side} aria-label="Sidebar">
        <Sidebar />
      </aside>
      <MobileBar />
      <main id="main" className={styles.main} tabIndex={-1}>
        <ConnectionBanner />
        <div className={styles.content}>
          <Outlet />
        </div>
      </main>
      <LeaveSessionQuestion />
      <PageTitle />
    </div>
  );
}

/** Tells screen readers which page was opened. By themselves, they read the title only when the browser loads a page. */
function PageTitle() {
  const [title, setTitle] = useState('');
  useEffect(() => {
    const element = document.querySelector('title');
    if (element === null) return;
    const tell = () => setTitle(document.title.replace(/ · CSPM$/, ''));
    tell();
    const observer = new MutationObserver(tell);
    observer.observe(element, { childList: true });
    return () => observer.disconnect();
  }, []);
  return <Hidden role="status">{title}</Hidden>;
}

/** The link that was followed may be gone with its page. The keyboard then continues at the beginning of the new one. */
function useFocusOnNewPage(): void {
  const router = useRouter();
  useEffect(() => {
    // The first page begins with the link that skips the navigation.
    let shown = router.latestLocation.pathname;
    return router.subscribe('onRendered', ({ toLocation: { pathname } }) => {
      if (pathname !== shown) takeLostFocus(document.getElementById('main'));
      shown = pathname;
    });
  }, [router]);
}

/** Loaded later: nothing is old yet. What failed to load is loaded again when the person leaves the tab or comes back. */
function startReloads(): () => void {
  const end = new AbortController();
  const { signal } = end;
  const load = () => {
    import('../reloads.ts').then(
      (reloads) => {
        if (!signal.aborted) signal.addEventListener('abort', reloads.startReloads());
      },
      () => document.addEventListener('visibilitychange', load, { once: true, signal }),
    );
  };
  load();
  return () => end.abort();
}

function Sidebar() {
  return (
    <>
      <TenantMenu />
      <button
        type="button"
        className={styles.search}
        onClick={() => paletteOpen.set(true)}
        aria-keyshortcuts="Meta+K Control+K"
      >
        <Search size={14} aria-hidden />
        Search or jump to
        <Kbd>{IS_MAC ? '⌘K' : 'Ctrl K'}</Kbd>
      </button>
      <Navigation />
      <div className={styles.user}>
        <UserMenu />
        <ThemeButton />
      </div>
    </>
  );
}

function Navigation() {
  const groups = useNavigation();
  return (
    <nav className={styles.nav} aria-label="Main">
      {groups.map(({ title, items }) => (
        <div key={title}>
          {title !== null && <h2 className={styles.group}>{title}</h2>}
          <ul>
            {items.map(({ label, to, icon: Icon }) => (
              <li key={label}>
                <Link
                  to={to}
                  className={styles.link}
                  activeOptions={{ includeSearch: false, exact: to === '/' }}
                >
                  <Icon size={16} strokeWidth={1.9} aria-hidden />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function MobileBar() {
  const [isOpen, setOpen] = useState(false);
  const router = useRouter();
  // Following a link closes the menu, also one to the page that is shown.
  useEffect(() => router.subscribe('onBeforeLoad', () => setOpen(false)), [router]);
  return (
    <header className={styles.bar}>
      <Button
        kind="quiet"
        square
        aria-label="Menu"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <MenuIcon size={18} aria-hidden />
      </Button>
      {isOpen && (
        <Modal className={styles.drawer} aria-label="Menu" onClose={() => setOpen(false)}>
          <Button
            kind="quiet"
            square
            aria-label="Close"
            className={styles.drawerClose}
            onClick={() => setOpen(false)}
          >
            <X size={18} aria-hidden />
          </Button>
          <Sidebar />
        </Modal>
      )}
      <img src={`${import.meta.env.BASE_URL}icon.svg`} width={28} height={28} alt="" />
      <span className={styles.barTitle}>CSPM</span>
      <span className={styles.spring} />
      <Button
        kind="quiet"
        square
        aria-label="Search or jump to"
        onClick={() => paletteOpen.set(true)}
      >
        <Search size={17} aria-hidden />
      </Button>
      <ThemeButton />
    </header>
  );
}

/** `g` and a letter opens a screen; ⌘K or Ctrl+K the palette; `?` the list of shortcuts. */
function useNavigationShortcuts(): void {
  const navigate = useNavigate();
  const items = useNavigation().flatMap((group) => group.items);
  useShortcuts({
    ...Object.fromEntries(
      items.flatMap(({ key, to }) =>
        key === undefined ? [] : [[`g ${key}`, () => void navigate({ to })]],
      ),
    ),
    '?': () => shortcutsOpen.set(true),
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey)
        return;
      event.preventDefault();
      // A dialog may show or hold what would be lost on another screen.
      const isUnderDialog = !paletteOpen.get() && document.querySelector('dialog[open]') !== null;
      if (!isUnderDialog) paletteOpen.set(!paletteOpen.get());
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
