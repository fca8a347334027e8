'use client';

import { useEffect } from 'react';
import useSWR from 'swr';
import type { CreditsJson, KeyJson } from '../../../lib/accounts/accounts';
import type { Mode } from '../../../lib/domain/video';
import { keepSignedIn } from '../_auth/browser-sign-in';
import { KeysSection } from '../_keys/keys-section';
import { usd } from '../_ui/money';
import { SegmentedLinks } from '../_ui/segmented-links';
import { isRunning, type ShownVideo, type ShownVideos } from '../_videos/shown-video';
import { VideosSection } from '../_videos/videos-section';
import { WebhookSecretSection } from '../_webhooks/webhook-secret-section';
import { ask } from '../console-api';
import { apiPaths, paths } from '../paths';
import { Balance } from './balance';
import { GettingStarted } from './getting-started';
import { LoadFault } from './load-fault';
import { MODE_COOKIE } from './mode-cookie';

/** While something runs, or a first video is waited for. */
const SOON_MS = 2_000;
/** Also how soon the page notices that its sign-in was ended elsewhere. */
const CALM_MS = 3_000;
/** The balance of the mode that is not looked at. */
const SELDOM_MS = 20_000;
const YEAR_SECONDS = 31_536_000;

export interface OverviewProps {
  readonly mode: Mode;
  readonly baseUrl: string;
  /** The id of the person who looks. */
  readonly me: string;
  readonly mayEdit: boolean;
  readonly credits: Readonly<Record<Mode, CreditsJson>>;
  readonly keys: readonly KeyJson[];
  readonly videos: readonly ShownVideo[];
}

export function Overview({ mode, baseUrl, me, mayEdit, credits, keys, videos }: OverviewProps) {
  const other = mode === 'test' ? 'live' : 'test';
  const shown = useSWR(apiPaths.videos(mode), (path) => ask<ShownVideos>(path), {
    fallbackData: { data: videos },
    refreshInterval: (latest) => (!latest || latest.data.length === 0 || latest.data.some(isRunning) ? SOON_MS : CALM_MS),
  });
  const list = shown.data.data;
  const balance = useSWR(apiPaths.credits(mode), (path) => ask<CreditsJson>(path), {
    fallbackData: credits[mode],
    refreshInterval: list.some(isRunning) ? SOON_MS : CALM_MS,
  });
  const otherBalance = useSWR(apiPaths.credits(other), (path) => ask<CreditsJson>(path), { fallbackData: credits[other], refreshInterval: SELDOM_MS });

  useEffect(() => {
    document.cookie = `${MODE_COOKIE}=${mode}; Path=/console; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
  }, [mode]);
  useEffect(() => void keepSignedIn().catch(() => undefined), []);

  const available = { [mode]: balance.data.available, [other]: otherBalance.data.available };
  const modeLink = (of: Mode, title: string) => ({
    href: paths.overview(of),
    current: of === mode,
    label: (
      <>
        {title} <span className="text-xs font-normal text-muted tabular-nums">{usd(available[of] ?? '0')}</span>
      </>
    ),
  });

  return (
    <div className="flex flex-col gap-9">
      <div>
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <h1 className="text-xl font-semibold tracking-[-0.02em]">Overview</h1>
          <SegmentedLinks label="Mode" links={[modeLink('test', 'Test'), modeLink('live', 'Live')]} />
        </div>
        <LoadFault error={shown.error ?? balance.error} onRetry={() => void Promise.all([shown.mutate(), balance.mutate()])} />
        <Balance credits={balance.data} mayRefill={mayEdit && mode === 'test'} onRefilled={(refilled) => void balance.mutate(refilled, { revalidate: false })} />
      </div>
      {list.length === 0 ? <GettingStarted mode={mode} baseUrl={baseUrl} mayCreateKey={mayEdit} /> : <VideosSection videos={list} />}
      <KeysSection keys={keys} me={me} mode={mode} baseUrl={baseUrl} mayEdit={mayEdit} />
      {mayEdit && <WebhookSecretSection />}
    </div>
  );
}
