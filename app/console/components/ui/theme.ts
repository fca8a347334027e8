// The theme is stored in a cookie, so that the server renders it.

export const THEME_COOKIE = 'theme';

export type Theme = 'system' | 'light' | 'dark';

const YEAR_SECONDS = 31_536_000;

export function parseTheme(text: string | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}

/** Applies the theme and stores it for a year. Browser only. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.cookie = `${THEME_COOKIE}=${theme}; Path=/; Max-Age=${theme === 'system' ? 0 : YEAR_SECONDS}; SameSite=Lax`;
  window.dispatchEvent(new CustomEvent(THEME_CHOSEN, { detail: theme }));
}

/** Event that informs controls about a new theme; `detail` is the theme. */
export const THEME_CHOSEN = 'patchbay:theme';
