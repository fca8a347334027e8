'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button';
import { chooseTheme, parseTheme, THEME_CHOSEN, type Theme } from './theme';

const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const satisfies Record<Theme, Theme>;
const THEMES = {
  system: { Icon: Monitor, name: 'system' },
  light: { Icon: Sun, name: 'light' },
  dark: { Icon: Moon, name: 'dark' },
} as const;

/** Cycles system → light → dark. The choice is stored for a year. */
export function ThemeToggle({ initial }: { readonly initial: Theme }) {
  const [theme, setTheme] = useState(initial);
  const { Icon, name } = THEMES[theme];
  useEffect(() => {
    // The command palette can change the theme too.
    const follow = (event: Event) =>
      setTheme(parseTheme(event instanceof CustomEvent ? String(event.detail) : undefined));
    window.addEventListener(THEME_CHOSEN, follow);
    return () => window.removeEventListener(THEME_CHOSEN, follow);
  }, []);
  const label = `Theme: ${name}. Switch to ${NEXT[theme]}.`;
  return (
    <Button variant="quiet" size="icon" onClick={() => chooseTheme(NEXT[theme])} aria-label={label} title={label}>
      <Icon size={16} aria-hidden="true" />
    </Button>
  );
}
