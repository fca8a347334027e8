// URLs of the documentation. A page is at `pagePath` of lib/docs.

export const docsPaths = {
  index: '/docs',
  search: '/docs/search',
} as const;
