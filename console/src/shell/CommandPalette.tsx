import { useNavigate } from '@tanstack/react-router';
import { LogOut, type LucideIcon, Monitor, Moon, Search, Sun } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { signOut } from '../session.ts';
import { setTheme } from '../theme.ts';
import { Modal } from '../ui/Dialog.tsx';
import { leaveSession } from './LeaveSessionQuestion.tsx';
import styles from './Overlays.module.css';
import { paletteOpen } from './overlay-state.ts';
import { useNavigation } from './use-navigation.ts';

interface Command {
  readonly label: string;
  readonly hint: string;
  readonly icon: LucideIcon;
  readonly run: () => void;
}

const close = () => paletteOpen.set(false);

/** ⌘K: opens a screen, searches the findings, or runs an action. */
export default function CommandPalette() {
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const commands = useCommands(text);
  const chosen = Math.min(active, commands.length - 1);
  useEffect(() => {
    list.current?.querySelector(`#command-${chosen}`)?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    close();
    command.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && commands.length > 0) {
      event.preventDefault();
      setActive((chosen + step + commands.length) % commands.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      run(commands[chosen]);
    }
  };
  return (
    <Modal className={styles.palette} aria-label="Search or jump to" onClose={close}>
      <input
        className={styles.input}
        role="combobox"
        aria-label="Search or jump to"
        aria-expanded="true"
        aria-controls="commands"
        aria-activedescendant={chosen < 0 ? undefined : `command-${chosen}`}
        placeholder="Search or jump to"
        autoComplete="off"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKey}
      />
      <div id="commands" ref={list} className={styles.list} role="listbox" aria-label="Commands">
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys and names the active option
          <div
            key={command.label}
            id={`command-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className={styles.option}
            onMouseMove={() => setActive(index)}
            onClick={() => run(command)}
          >
            <command.icon size={16} aria-hidden />
            <span>{command.label}</span>
            <small>{command.hint}</small>
          </div>
        ))}
      </div>
    </Modal>
  );
}

function useCommands(text: string): readonly Command[] {
  const navigate = useNavigate();
  const groups = useNavigation();
  const screens = groups.flatMap(({ title, items }) =>
    items.map(({ label, to, icon, key }) => ({
      label,
      hint: key === undefined ? (title ?? '') : `g ${key}`,
      icon,
      run: () => void navigate({ to }),
    })),
  );
  const actions: Command[] = [
    { label: 'Light theme', hint: 'Theme', icon: Sun, run: () => setTheme('light') },
    { label: 'Dark theme', hint: 'Theme', icon: Moon, run: () => setTheme('dark') },
    { label: 'Theme of the system', hint: 'Theme', icon: Monitor, run: () => setTheme('system') },
    {
      label: 'Sign out',
      hint: 'Account',
      icon: LogOut,
      run: () => leaveSession('Sign out', signOut),
    },
  ];
  const wanted = text.trim().toLowerCase();
  const found = [...screens, ...actions].filter(({ label }) =>
    label.toLowerCase().includes(wanted),
  );
  if (wanted === '') return found;
  const search: Command = {
    label: `Search findings for “${text.trim()}”`,
    hint: 'Findings',
    icon: Search,
    run: () => void navigate({ to: '/findings', search: { q: text.trim().slice(0, 200) } }),
  };
  return [...found, search];
}
