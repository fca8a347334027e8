import path from 'node:path';
import { PHASE_DEVELOPMENT_SERVER } from 'next/constants.js';

// The policy of the pages outside the console (the console's own comes from proxy.ts, with a nonce for each request). They
// show nobody's data: the page of an unknown address is all there is.
const plainPage = (evaluate) => [
  {
    key: 'Content-Security-Policy',
    value: `default-src 'none'; script-src 'self' 'unsafe-inline'${evaluate}; style-src 'self' 'unsafe-inline'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  },
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'no-referrer' },
];

/** @type {(phase: string) => import('next').NextConfig} */
export default (phase) => ({
  poweredByHeader: false,
  // A page in `*.dev.tsx`, such as the gallery of UI parts, exists only in `npm run dev`.
  pageExtensions: ['tsx', 'ts', ...(phase === PHASE_DEVELOPMENT_SERVER ? ['dev.tsx'] : [])],
  devIndicators: false,
  turbopack: { root: path.resolve(import.meta.dirname) },
  // Types are checked by `npm run typecheck`: the first start on somebody's machine need not wait for it.
  typescript: { ignoreBuildErrors: true },
  experimental: { optimizePackageImports: ['radix-ui'] },
  // Links from before the page was called Videos; the query is kept.
  async redirects() {
    return [{ source: '/console/jobs/:path*', destination: '/console/videos/:path*', permanent: true }];
  },
  // The Markdown of a page of the documentation; a folder cannot be named by a part of a segment.
  async rewrites() {
    return [{ source: '/docs/:page*.md', destination: '/docs/markdown/:page*' }];
  },
  async headers() {
    // React's development build evaluates code to rebuild stack traces of the server.
    const evaluate = phase === PHASE_DEVELOPMENT_SERVER ? " 'unsafe-eval'" : '';
    return [
      {
        source: '/((?!v1/|internal/|console|api/|livez|readyz|openapi\\.json|asyncapi\\.json|llms|docs|_next/).+)',
        headers: plainPage(evaluate),
      },
    ];
  },
});
