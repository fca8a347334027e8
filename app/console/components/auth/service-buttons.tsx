'use client';

import { useState, useSyncExternalStore } from 'react';
import { Button } from '../ui/button';
import { lastMethod, signInElsewhere, type Service } from './browser-sign-in';

export const SERVICE_NAMES = { github: 'GitHub', google: 'Google' } as const satisfies Record<Service, string>;
const never = () => () => undefined;

/** The last sign-in method used in this browser; undefined on the server. */
export function useLastMethod() {
  return useSyncExternalStore(never, lastMethod, () => undefined);
}

export function ServiceButtons({
  services,
  next,
  onError,
}: {
  readonly services: readonly Service[];
  readonly next: string;
  onError(message: string | undefined): void;
}) {
  const [busy, setBusy] = useState<Service>();
  const last = useLastMethod();

  async function leave(service: Service) {
    setBusy(service);
    onError(undefined);
    const result = await signInElsewhere(service, next);
    if (!result.ok) onError(result.message);
    setBusy(undefined);
  }

  return (
    <div className="flex flex-col gap-2.5">
      {services.map((service) => (
        <Button
          key={service}
          busy={busy === service}
          disabled={busy !== undefined}
          onClick={() => void leave(service)}
          className="relative h-10 w-full"
        >
          Continue with {SERVICE_NAMES[service]}
          {last === service && <LastUsedBadge />}
        </Button>
      ))}
    </div>
  );
}

export function LastUsedBadge() {
  return <span className="absolute right-3 text-2xs font-normal text-muted">Last used</span>;
}
