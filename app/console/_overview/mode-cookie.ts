/** The mode that was looked at last. */
export const MODE_COOKIE = 'mode';
