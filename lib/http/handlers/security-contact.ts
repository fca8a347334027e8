import { GatewayError } from '../../domain/errors';
import type { PublicContext, GatewayResponse } from '../handler';

/** RFC 9116 recommends an expiry of less than a year; clients fetch the file again after it. */
const VALID_MS = 180 * 24 * 60 * 60_000;

/**
 * `GET /.well-known/security.txt`: where to report a vulnerability (RFC 9116). Without a contact the file does not
 * exist, because the RFC requires one.
 */
export function readSecurityContact({ gateway }: PublicContext): GatewayResponse {
  const contact = gateway.config.securityContact;
  if (contact === undefined) {
    throw new GatewayError(
      'route_not_found',
      'This installation names no contact for security reports. Its operator can set one as SECURITY_CONTACT.',
    );
  }
  const expires = new Date(gateway.clock.nowMs() + VALID_MS).toISOString().replace(/\.\d+Z$/, 'Z');
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${expires}`,
    `Canonical: ${gateway.baseUrl}/.well-known/security.txt`,
    'Preferred-Languages: en',
  ];
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: `${lines.join('\n')}\n` };
}
