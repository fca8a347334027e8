import { isIP } from 'node:net';
import type { UrlUse } from './outbound-error';
import { OutboundError, subjectOf } from './outbound-error';
import type { Cidr } from './public-address';
import { classifyAddress } from './public-address';
import { parseUrl } from '../domain/url';

// Checks a customer's URL before anything is sent to it: its syntax, and then every address that it resolves to. The
// same two checks run at submission and again for every hop of every request.

export interface DestinationRules {
  /** Exempt from the ban on private addresses, from the port list and from the https requirement. */
  readonly allow: readonly Cidr[];
  /** Host names of this installation, in lower case: a request to ourselves would be a loop. */
  readonly ownHosts: readonly string[];
  readonly ports: readonly number[];
  readonly maxUrlChars: number;
}

export interface Destination {
  readonly url: URL;
  /** The host without brackets. */
  readonly host: string;
  /** Known without DNS: an IP literal or `localhost`. */
  readonly addresses: readonly string[] | undefined;
  /** If set, only an exempt address may be called, and this is the error message for any other. */
  readonly exemptOnly: string | undefined;
}

/**
 * Parses a URL as a browser does, so that every spelling of an IP address becomes one form, and checks it. IP literals
 * and `localhost` are checked completely. Throws `url_not_allowed`.
 */
export function parseDestination(text: string, use: UrlUse, rules: DestinationRules): Destination {
  const subject = subjectOf(use);
  const refuse = (sentence: string) => new OutboundError('not_allowed', use, sentence);
  if (text.length > rules.maxUrlChars) {
    const limit = rules.maxUrlChars.toLocaleString('en');
    throw refuse(`${subject} may have at most ${limit} characters; got ${text.length}.`);
  }
  const url = parseUrl(text);
  if (!url) throw refuse(`${subject} must be a complete URL that starts with https://.`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refuse(`${subject} must start with https://.`);
  if (url.username !== '' || url.password !== '')
    throw refuse(`${subject} must not contain a user name or a password.`);

  // A resolver ignores a trailing dot, but a list of names and a certificate do not.
  const dotless = url.hostname.replace(/\.+$/, '');
  if (dotless === '') throw refuse(`${subject} must name a host.`);
  if (dotless !== url.hostname) url.hostname = dotless;

  const host = url.hostname.replace(/^\[|\]$/g, '');
  const destination: Destination = {
    url,
    host,
    addresses: knownAddresses(host, rules),
    exemptOnly: exemptOnly(url, host, subject, rules),
  };
  if (destination.addresses !== undefined) checkAddresses(destination, destination.addresses, use, rules);
  // A name may still resolve to an exempt address, unless there are no exemptions.
  else if (destination.exemptOnly !== undefined && rules.allow.length === 0) throw refuse(destination.exemptOnly);
  return destination;
}

/** Checks that every address that a destination resolves to is allowed. Throws `url_not_allowed`. */
export function checkAddresses(
  destination: Destination,
  addresses: readonly string[],
  use: UrlUse,
  rules: DestinationRules,
): void {
  const verdicts = addresses.map((address) => classifyAddress(address, rules.allow));
  if (verdicts.length === 0 || verdicts.includes('refused')) {
    const sentence = `${subjectOf(use)} does not lead to a public address. Use a URL that can be reached from the internet, or have the operator permit this address with OUTBOUND_ALLOW.`;
    throw new OutboundError('not_allowed', use, sentence);
  }
  if (destination.exemptOnly !== undefined && verdicts.includes('public')) {
    throw new OutboundError('not_allowed', use, destination.exemptOnly);
  }
}

function knownAddresses(host: string, rules: DestinationRules): readonly string[] | undefined {
  if (isIP(host) !== 0) return [host];
  if (host !== 'localhost' && !host.endsWith('.localhost')) return undefined;
  // Reserved for loopback, so DNS is not used. Of its two addresses only those count that the operator allows;
  // otherwise an allow-list with 127.0.0.0/8 would not cover `localhost` on a machine that also has ::1.
  const loopback = ['127.0.0.1', '::1'];
  const exempt = loopback.filter((address) => classifyAddress(address, rules.allow) === 'exempt');
  return exempt.length > 0 ? exempt : loopback;
}

function exemptOnly(url: URL, host: string, subject: string, rules: DestinationRules): string | undefined {
  if (rules.ownHosts.includes(host)) return `${subject} leads back to this service. Use a URL of your own.`;
  if (url.protocol !== 'https:') return `${subject} must start with https://.`;
  const port = url.port === '' ? 443 : Number(url.port);
  if (!rules.ports.includes(port)) return `${subject} may use port ${listOf(rules.ports)}; got ${port}.`;
  return undefined;
}

function listOf(ports: readonly number[]): string {
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(ports.map(String));
}
