'use client';

import useSWR from 'swr';
import type { KeyJson } from '../../../lib/contract/keys';
import type { LimitUseListJson } from '../../../lib/contract/limits';
import { limitRules } from '../../../lib/domain/limits';
import { usd } from '../../../lib/domain/money';
import { ask } from '../console-api';
import { apiPaths } from '../api-paths';

const REFRESH_MS = 2_000;

type LimitUse = LimitUseListJson['data'][number];

/** The limits that apply to a key, its own and those of the organisation, with their current use. */
export function KeyLimitUse({ of: key }: { readonly of: KeyJson }) {
  const { data, error } = useSWR(apiPaths.keyLimits(key.id), (path) => ask<LimitUseListJson>(path), {
    refreshInterval: REFRESH_MS,
  });
  if (error !== undefined && data === undefined)
    return <p className="text-xs text-muted">The current use of the limits could not be loaded.</p>;
  return (
    <section aria-label="Limits and current use" className="border-t border-line pt-3">
      <h3 className="mb-1.5 text-sm font-medium">Limits now</h3>
      {data === undefined ? (
        <p className="text-xs text-muted">Loading…</p>
      ) : (
        <table className="w-full text-xs tabular-nums">
          <thead className="text-left text-muted">
            <tr>
              <th className="py-1 font-normal">Limit</th>
              <th className="py-1 font-normal">Of</th>
              <th className="py-1 text-right font-normal">Used</th>
              <th className="py-1 text-right font-normal">Limit</th>
            </tr>
          </thead>
          <tbody>
            {data.data.map((each) => (
              <tr key={`${each.scope} ${each.name}`} className="border-t border-line">
                <td className="py-1">{limitRules[each.name].label}</td>
                <td className="py-1 text-muted">{each.scope === 'key' ? 'this key' : 'the organisation'}</td>
                <td className="py-1 text-right">{shown(each.used)}</td>
                <td className="py-1 text-right">{shown(each.limit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

/** Formats a value. Dollar amounts are texts, counts are numbers. */
function shown(value: LimitUse['used']): string {
  if (typeof value === 'string') return usd(value);
  return value.toLocaleString('en', { maximumFractionDigits: 1 });
}
