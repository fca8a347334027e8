'use client';

import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';

// Short notes at the window's edge. They only repeat what the page shows as well, so their code comes with the first one.

const load = () => import('sonner');
const Toaster = dynamic(() => load().then((sonner) => sonner.Toaster), { ssr: false });

const NOTED = 'patchbay:note';

export function notify(says: string): void {
  window.dispatchEvent(new Event(NOTED));
  void load().then(({ toast }) => toast(says));
}

export function Notices() {
  const [needed, setNeeded] = useState(false);
  useEffect(() => {
    const show = () => setNeeded(true);
    window.addEventListener(NOTED, show, { once: true });
    return () => window.removeEventListener(NOTED, show);
  }, []);
  if (!needed) return null;
  return (
    <Toaster
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
