/** The classes of a link in a text or a table. */
export const linkClass = 'underline decoration-line-strong underline-offset-4 hover:decoration-current';
