/** Set when somebody has seen enough of the first steps; a cookie, so that the server's first byte already leaves them out. */
export const FIRST_STEPS_COOKIE = 'first-steps';

const YEAR_SECONDS = 31_536_000;

export function dismissFirstSteps(): void {
  document.cookie = `${FIRST_STEPS_COOKIE}=done; Path=/console; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}
