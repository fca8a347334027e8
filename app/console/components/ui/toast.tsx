'use client';

import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';

// Toasts only repeat what the page shows, so the library loads with the first toast, and a failure to load is ignored.

const load = () => import('sonner');
const SonnerToaster = dynamic(
  () =>
    load().then(
      (sonner) => sonner.Toaster,
      () => () => null,
    ),
  { ssr: false },
);

const TOASTED = 'patchbay:toast';

export function toast(message: string): void {
  window.dispatchEvent(new Event(TOASTED));
  void load().then(
    (sonner) => sonner.toast(message),
    () => undefined,
  );
}

export function Toaster() {
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    const show = () => setNeeded(true);
    window.addEventListener(TOASTED, show, { once: true });
    return () => window.removeEventListener(TOASTED, show);
  }, []);
  if (!needed) return null;
  return (
    <SonnerToaster
      position="bottom-right"
      toastOptions={{
        unstyled: true,
        classNames: {
          toast: 'flex w-full items-center gap-2.5 rounded-xl bg-raised px-4 py-3 text-sm text-ink shadow-(--floating)',
        },
      }}
    />
  );
}
