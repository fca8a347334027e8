import path from 'node:path';
import { PHASE_DEVELOPMENT_SERVER } from 'next/constants.js';

/** @type {(phase: string) => import('next').NextConfig} */
export default (phase) => ({
  poweredByHeader: false,
  // A page in `*.dev.tsx`, such as the gallery of UI parts, exists only in `npm run dev`.
  pageExtensions: ['tsx', 'ts', ...(phase === PHASE_DEVELOPMENT_SERVER ? ['dev.tsx'] : [])],
  devIndicators: false,
  turbopack: { root: path.resolve(import.meta.dirname) },
  // Types are checked by `npm run typecheck`: the first start does not have to wait for it.
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
});
