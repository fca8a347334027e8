import { systemClock } from '../../lib/domain/clock';
import type { LookupName } from '../../lib/net/lookup-name';
import { parseCidrs } from '../../lib/net/public-address';
import type { Outbound, OutboundDeps } from '../../lib/net/safe-fetch';
import { createOutbound } from '../../lib/net/safe-fetch';
import type { RecordedLog } from './log';
import { recordLog } from './log';

export interface TestOutbound extends Outbound {
  readonly log: RecordedLog;
  /** The host names that were resolved, in order. */
  readonly lookups: readonly string[];
}

/**
 * An Outbound with a table in place of DNS: each name has the results of its first, second … lookup, and the last one
 * stays. A name that is not in the table does not resolve.
 */
export function makeOutbound(
  names: Readonly<Record<string, readonly (readonly string[])[]>> = {},
  options: Partial<Omit<OutboundDeps, 'allow' | 'lookup' | 'log'>> & { allow?: readonly string[] } = {},
): TestOutbound {
  const lookups: string[] = [];
  const log = recordLog();
  const lookup: LookupName = async (host) => {
    lookups.push(host);
    const answers = names[host] ?? [];
    const answer = answers[Math.min(lookups.filter((name) => name === host).length, answers.length) - 1];
    if (answer === undefined) throw new Error('The name does not resolve.');
    return answer;
  };
  const { allow = [], ...rest } = options;
  const outbound = createOutbound({
    userAgent: 'Patchbay/test',
    clock: systemClock,
    ...rest,
    allow: parseCidrs(allow),
    log,
    lookup,
  });
  return { ...outbound, log, lookups };
}
