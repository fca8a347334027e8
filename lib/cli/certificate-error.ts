// A certificate is issued for the public name of an installation, but commands on the server call it at 127.0.0.1. The
// connection then fails before anything is sent, although the installation runs.

const OTHER_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';
const OUT_OF_DATE = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
  'CERT_SIGNATURE_FAILURE',
  'INVALID_CA',
]);

/** Says what is wrong with the certificate of this URL, and what to do; undefined for an error of another kind. */
export function certificateSentence(url: string, error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const code = 'code' in each && typeof each.code === 'string' ? each.code : '';
    if (code === OTHER_NAME)
      return `The certificate of ${url} is for another host name. Give the URL with that name in --url or PUBLIC_BASE_URL.`;
    if (OUT_OF_DATE.has(code)) return `The certificate of ${url} has expired or is not valid yet (${code}). Renew it.`;
    if (UNTRUSTED.has(code))
      return `The certificate of ${url} is not trusted (${code}). Set NODE_EXTRA_CA_CERTS, in the environment of this command, to a file with the certificate of its issuer.`;
  }
  return undefined;
}
