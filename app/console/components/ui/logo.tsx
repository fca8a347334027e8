/** The logo: two sockets and a cable between them. */
export function Logo({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="shrink-0">
      <rect width="32" height="32" rx="8" fill="var(--ink)" />
      <g fill="none" stroke="var(--inverse)" strokeWidth="2.2">
        <circle cx="9.5" cy="10" r="3.7" />
        <circle cx="22.5" cy="22" r="3.7" />
      </g>
      <path d="M9.5 10c0 9 13 3 13 12" fill="none" stroke="#8f7cff" strokeWidth="2.8" strokeLinecap="round" />
      <circle cx="9.5" cy="10" r="1.5" fill="#8f7cff" />
      <circle cx="22.5" cy="22" r="1.5" fill="#8f7cff" />
    </svg>
  );
}

export function Wordmark() {
  return (
    <span className="flex items-center gap-2.5">
      <Logo size={24} />
      <span className="text-[0.9375rem] font-semibold tracking-[-0.015em]">Patchbay</span>
    </span>
  );
}
