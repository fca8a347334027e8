// The URLs of the documentation. The path of a page comes from `pagePath` of lib/docs.

export const docsPaths = {
  index: '/docs',
  search: '/docs/search',
} as const;
