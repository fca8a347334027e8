import { CopyButton } from './copy-button';

/** Code to be copied whole; `title` says where it is meant to be typed. */
export function CodeBlock({ title, code }: { readonly title: string; readonly code: string }) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-sunken">
      <div className="flex h-10 items-center justify-between border-b border-line pr-1 pl-3.5 max-sm:h-12">
        <span className="text-xs font-medium text-muted">{title}</span>
        <CopyButton text={code} label={`Copy ${title}`} />
      </div>
      <pre className="overflow-x-auto px-3.5 py-3 font-mono text-xs leading-5 focus-visible:-outline-offset-2">
        <code>{highlighted(code)}</code>
      </pre>
    </div>
  );
}

const TOKENS = /("[^"]*"|\$[A-Z_]+|(?<=^|\s)-{1,2}[a-zA-Z][\w-]*|^curl\b)/m;

/** Strings, variables and flags in a shell snippet; a colour each, so that the part to change is found at a glance. */
function highlighted(code: string) {
  return code.split(TOKENS).map((part, index) => {
    const look = index % 2 === 0 ? undefined : part.startsWith('"') ? 'text-good' : part.startsWith('$') ? 'text-accent' : part.startsWith('-') ? 'text-info' : 'font-semibold';
    return look ? (
      <span key={index} className={look}>
        {part}
      </span>
    ) : (
      part
    );
  });
}
