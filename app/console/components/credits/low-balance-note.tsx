'use client';

import useSWR from 'swr';
import type { AlertListJson } from '../../../../lib/contract/alerts';
import type { Mode } from '../../../../lib/domain/video';
import { ask } from '../../console-api';
import { apiPaths } from '../../api-paths';
import { AlertNotes } from './alert-notes';

const REFRESH_INTERVAL_MS = 15_000;

/** Warns, on pages that spend credits, that the balance is below an alert's amount. Renders nothing otherwise. */
export function LowBalanceNote({ mode, initial }: { readonly mode: Mode; readonly initial: AlertListJson }) {
  const { data } = useSWR(apiPaths.alerts(mode), (path) => ask<AlertListJson>(path), {
    fallbackData: initial,
    refreshInterval: REFRESH_INTERVAL_MS,
  });
  return (
    <div className="mb-4 empty:hidden">
      <AlertNotes alerts={{ ...data, data: data.data.filter(({ kind }) => kind === 'low_balance') }} />
    </div>
  );
}
