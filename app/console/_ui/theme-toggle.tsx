'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button';
import { THEME_COOKIE, type Theme } from './theme';

const NEXT = { system: 'light', light: 'dark', dark: 'system' } as const satisfies Record<Theme, Theme>;
const LOOKS = {
  system: { Icon: Monitor, says: 'follows the system' },
  light: { Icon: Sun, says: 'light' },
  dark: { Icon: Moon, says: 'dark' },
} as const;

const YEAR_SECONDS = 31_536_000;

/** System → light → dark; the choice is kept for a year. */
export function ThemeToggle({ initial }: { readonly initial: Theme }) {
  const [theme, setTheme] = useState(initial);
  const { Icon, says } = LOOKS[theme];
  const choose = () => {
    const chosen = NEXT[theme];
    setTheme(chosen);
    if (chosen === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = chosen;
    document.cookie = `${THEME_COOKIE}=${chosen}; Path=/; Max-Age=${chosen === 'system' ? 0 : YEAR_SECONDS}; SameSite=Lax`;
  };
  const label = `Theme: ${says}. Switch to ${NEXT[theme]}.`;
  return (
    <Button look="quiet" size="icon" onClick={choose} aria-label={label} title={label}>
      <Icon size={16} aria-hidden="true" />
    </Button>
  );
}
