import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateSentence } from '../../../lib/cli/certificate-error';
import { exitCodes } from '../../../lib/cli/command-error';
import { ask } from '../../../lib/cli/http';
import { certificate } from '../../support/certificate';

const server = createServer(certificate, (_request, response) => response.end('{}'));
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Safe: it listens on a port.
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const chainOf = (code: string) =>
  new Error('It could not be reached.', {
    cause: new TypeError('fetch failed', { cause: Object.assign(new Error('of OpenSSL'), { code }) }),
  });

describe('a command that calls an installation with a certificate', () => {
  it('says that the certificate is not trusted, and not that nothing answers', async () => {
    await expect(ask({ url, token: 'token' }, 'GET', '/v1/models')).rejects.toMatchObject({
      message: `The certificate of ${url} is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Set NODE_EXTRA_CA_CERTS, in the environment of this command, to a file with the certificate of its issuer.`,
      exitCode: exitCodes.unavailable,
    });
  });

  it.each([
    ['ERR_TLS_CERT_ALTNAME_INVALID', /is for another host name\. Give the URL .* --url or PUBLIC_BASE_URL\.$/],
    ['CERT_HAS_EXPIRED', /has expired or is not valid yet \(CERT_HAS_EXPIRED\)\. Renew it\.$/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /NODE_EXTRA_CA_CERTS/],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
  ])('explains %s', (code, sentence) => {
    expect(certificateSentence('https://a.example', chainOf(code))).toMatch(sentence);
  });

  it('leaves other failures to the caller', () => {
    expect(certificateSentence('https://a.example', chainOf('ECONNREFUSED'))).toBeUndefined();
    expect(certificateSentence('https://a.example', 'text')).toBeUndefined();
  });
});
