import type { ReactNode } from 'react';
import { classNames } from './class-names';

/** A full page with one message and actions. `framed` means inside the frame, which already has the main landmark. */
export function StatusPage({
  title,
  description,
  framed = false,
  children,
}: {
  readonly title: string;
  readonly description: string;
  readonly framed?: boolean;
  readonly children: ReactNode;
}) {
  const Element = framed ? 'div' : 'main';
  return (
    <Element
      className={classNames(
        'mx-auto flex max-w-md flex-col items-start justify-center px-6 py-16',
        framed ? 'min-h-[calc(100dvh-3.5rem)] lg:min-h-dvh' : 'min-h-dvh',
      )}
    >
      <svg width="132" height="72" viewBox="0 0 132 72" fill="none" aria-hidden="true" className="mb-7">
        <circle cx="20" cy="20" r="12" fill="var(--surface)" stroke="var(--accent)" strokeWidth="2.5" />
        <circle cx="20" cy="20" r="4.5" fill="var(--accent)" />
        <path d="M20 20c0 52 62 56 78 26" stroke="var(--accent)" strokeWidth="5" strokeLinecap="round" />
        <path d="m96 50 6-11" stroke="var(--ink)" strokeWidth="8" strokeLinecap="round" />
        <circle cx="116" cy="20" r="12" fill="var(--surface)" stroke="var(--line-strong)" strokeWidth="2" />
        <circle cx="116" cy="20" r="4.5" fill="var(--line-strong)" />
      </svg>
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">{title}</h1>
      <p className="mt-2 text-base text-muted">{description}</p>
      <div className="mt-6 flex flex-wrap gap-2">{children}</div>
    </Element>
  );
}
