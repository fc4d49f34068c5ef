import { Moon, Sun } from 'lucide-react';
import { setTheme, theme, useIsDark } from '../theme.ts';
import { Button } from '../ui/Button.tsx';

/** Switches between light and dark. The palette also offers the theme of the system. */
export function ThemeButton() {
  const isDark = useIsDark();
  const present = isDark ? 'dark' : 'light';
  const next = isDark ? 'light' : 'dark';
  const source = theme.use() === 'system' ? ', as in the system' : '';
  return (
    <Button
      kind="quiet"
      square
      aria-label={`Theme: ${present}${source}. Use the ${next} theme`}
      onClick={() => setTheme(next)}
    >
      {isDark ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
    </Button>
  );
}
