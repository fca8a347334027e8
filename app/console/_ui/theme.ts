// The chosen theme lives in a cookie, so that the server's first byte already has it.

export const THEME_COOKIE = 'theme';

export type Theme = 'system' | 'light' | 'dark';

export function parseTheme(text: string | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}
