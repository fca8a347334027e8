// What next-auth hands to a logger as a code is a plain text, so only the codes that it is known to use are written down.
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

/** The code for the log; `UNKNOWN` when next-auth has no such code. */
export function signInErrorCode(code: string): string {
  return KNOWN.includes(code) ? code : 'UNKNOWN';
}
