import type { ReactNode } from 'react';

const TOKENS =
  /("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|(?:^|(?<=\s))#[^\n]*|(?:^|(?<=\s))\/\/[^\n]*|\$\{?[A-Za-z_][A-Za-z_]*\}?|(?<=\s)-{1,2}[a-zA-Z][\w-]*|\b(?:curl|import|from|const|let|await|async|function|return|new|while|if|for|of|in|do|done|def|try|except|raise|with|as|throw|interface|export)\b)/gm;

/** Highlights strings, comments, variables and keywords. */
export function highlightedCode(code: string): ReactNode {
  return code.split(TOKENS).map((part, index) => {
    const className = index % 2 === 0 ? undefined : classOf(part);
    return className ? (
      <span key={index} className={className}>
        {part}
      </span>
    ) : (
      part
    );
  });
}

function classOf(part: string): string {
  if (part.startsWith('"') || part.startsWith("'")) return 'text-good';
  if (part.startsWith('#') || part.startsWith('//')) return 'text-muted italic';
  if (part.startsWith('$')) return 'text-accent';
  return part.startsWith('-') ? 'text-info' : 'font-semibold';
}
