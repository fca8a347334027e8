'use client';

import dynamic from 'next/dynamic';

// Short notes at the window's edge. They only repeat what the page shows as well.

const load = () => import('sonner');
const Toaster = dynamic(() => load().then((sonner) => sonner.Toaster), { ssr: false });

export function notify(says: string): void {
  void load().then(({ toast }) => toast(says));
}

export function Notices() {
  return (
    <Toaster
      position="bottom-right"
      toastOptions={{
        unstyled: true,
        classNames: { toast: 'flex w-full items-center gap-2.5 rounded-xl bg-raised px-4 py-3 text-sm text-ink shadow-(--floating)' },
      }}
    />
  );
}
