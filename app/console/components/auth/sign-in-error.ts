// The code that next-auth passes to a logger is free text, so we log only its known codes.
const KNOWN = [
  'AUTH_ON_ERROR_PAGE_ERROR',
  'CALLBACK_CREDENTIALS_HANDLER_ERROR',
  'CALLBACK_CREDENTIALS_JWT_ERROR',
  'CALLBACK_OAUTH_ERROR',
  'GET_AUTHORIZATION_URL_ERROR',
  'INVALID_CALLBACK_URL_ERROR',
  'MISSING_NEXTAUTH_API_ROUTE_ERROR',
  'NO_SECRET',
  'OAUTH_CALLBACK_ERROR',
  'OAUTH_CALLBACK_HANDLER_ERROR',
  'OAUTH_PARSE_PROFILE_ERROR',
  'SESSION_ERROR',
  'SIGNIN_OAUTH_ERROR',
  'SIGNOUT_ERROR',
  'SIGN_IN_EVENT_ERROR',
];

/** Returns the code to log; `UNKNOWN` if it is not a code of next-auth. */
export function signInErrorCode(code: string): string {
  return KNOWN.includes(code) ? code : 'UNKNOWN';
}
