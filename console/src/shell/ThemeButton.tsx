import { Moon, Sun } from 'lucide-react';
import { isDark, setTheme, theme } from '../theme.ts';
import { Button } from '../ui/Button.tsx';

/** Switches between light and dark. The palette also offers the theme of the system. */
export function ThemeButton() {
  theme.use();
  const dark = isDark();
  return (
    <Button
      kind="quiet"
      square
      aria-label={dark ? 'Use the light theme' : 'Use the dark theme'}
      onClick={() => setTheme(dark ? 'light' : 'dark')}
    >
      {dark ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
    </Button>
  );
}
