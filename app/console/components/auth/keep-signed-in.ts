import { apiPaths } from '../../paths';

/** Makes the server renew the cookie, so that a console in use does not count as idle. */
export async function keepSignedIn(): Promise<void> {
  // Read to its end: an answer that nobody reads keeps its connection.
  await (await fetch(apiPaths.session())).text();
}
