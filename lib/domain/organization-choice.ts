// How a browser says which organisation a request is about. A key belongs to one organisation and needs neither header
// nor cookie.

/** The header of every request of a page: the organisation that the page shows. */
export const ORGANIZATION_HEADER = 'patchbay-organization';

/**
 * The cookie with the organisation that the browser opened last, for its next page. It gives no access: only the sign-in
 * does. A page names its organisation in the header, so it never acts on one that was opened later in another tab.
 */
export const ORGANIZATION_COOKIE = 'organization';
