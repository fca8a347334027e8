import path from 'node:path';

// Headers of the pages outside the console (the console's own come from proxy.ts, with a nonce a request). They show nobody's
// data: the page of an unknown address is all there is.
const plainPage = [
  {
    key: 'Content-Security-Policy',
    value:
      "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  },
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'no-referrer' },
];

/** @type {import('next').NextConfig} */
export default {
  poweredByHeader: false,
  devIndicators: false,
  turbopack: { root: path.resolve(import.meta.dirname) },
  // Types are checked by `npm run typecheck`: the first start on somebody's machine need not wait for it.
  typescript: { ignoreBuildErrors: true },
  experimental: { optimizePackageImports: ['radix-ui'] },
  async headers() {
    return [{ source: '/((?!v1/|internal/|console|api/|_next/).+)', headers: plainPage }];
  },
};
