import { setSingleKeys, singleKeys } from '../lib/single-keys.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog, DialogActions } from '../ui/Dialog.tsx';
import styles from './Overlays.module.css';
import { shortcutsOpen } from './overlay-state.ts';
import { useNavigation } from './use-navigation.ts';

const LISTS: readonly (readonly [string, string])[] = [
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['↓ or ↑', 'Next or previous row, from a row with the focus'],
  ['Page Down or Page Up', 'A page of rows down or up, from a row with the focus'],
  ['Home or End', 'First or last loaded row, from a row with the focus'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row'],
  ['m', 'Mute the row or the selection'],
  ['/', 'Search'],
  ['Esc', 'Close the panel, clear the selection'],
];

export default function ShortcutsDialog() {
  const areOn = singleKeys.use();
  const items = useNavigation().flatMap((group) => group.items);
  const go = items.flatMap(({ key, label }): (readonly [string, string])[] =>
    key === undefined ? [] : [[`g ${key}`, label]],
  );
  return (
    <Dialog open title="Keyboard shortcuts" size="wide" onClose={() => shortcutsOpen.set(false)}>
      <div className={styles.columns}>
        <Keys
          title="Everywhere"
          keys={[['⌘K or Ctrl K', 'Search or jump to'], ['?', 'This list'], ...go]}
        />
        <Keys title="In lists" keys={LISTS} />
      </div>
      <p role="status">Single-key shortcuts are {areOn ? 'on' : 'off'} in this browser.</p>
      <DialogActions>
        <Button onClick={() => setSingleKeys(!areOn)}>
          {areOn ? 'Turn off single-key shortcuts' : 'Turn on single-key shortcuts'}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Keys({
  title,
  keys,
}: {
  readonly title: string;
  readonly keys: readonly (readonly [string, string])[];
}) {
  return (
    <section>
      <h3 className={styles.heading}>{title}</h3>
      <dl className={styles.keys}>
        {keys.map(([key, label]) => (
          <div key={key}>
            <dt>
              <kbd className={styles.key}>{key}</kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
