/** Set when the user dismisses the first steps. A cookie, so that the server can omit them. */
export const FIRST_STEPS_COOKIE = 'first-steps';

const YEAR_SECONDS = 31_536_000;

export function dismissFirstSteps(): void {
  document.cookie = `${FIRST_STEPS_COOKIE}=done; Path=/console; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}
