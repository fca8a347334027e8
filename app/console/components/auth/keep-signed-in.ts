import { apiPaths } from '../../api-paths';

/** Makes the server renew the cookie, so that a console in use does not count as idle. */
export async function keepSignedIn(): Promise<void> {
  // Read to the end: an unread response keeps its connection open.
  await (await fetch(apiPaths.session())).text();
}
