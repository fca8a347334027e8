'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button';
import type { ButtonStyle } from './button-class';

const SHOWN_MS = 2_000;

/** Returns a function that copies a text. `copied` is true for two seconds after `copy` succeeded. */
export function useCopy(onCopied?: () => void): { readonly copied: boolean; copy(text: string): Promise<void> } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = window.setTimeout(() => setCopied(false), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [copied]);
  return {
    copied,
    async copy(text) {
      await writeClipboard(text);
      setCopied(true);
      onCopied?.();
    },
  };
}

/**
 * Copies a text, also where browsers do not offer `navigator.clipboard`: they do so only over https and on localhost,
 * but not for a console in a local network.
 */
async function writeClipboard(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside an open dialog, which traps the focus: text outside of it could not be selected.
  (document.querySelector('[role="dialog"]') ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/**
 * Copies `text` and confirms it visibly and to screen readers. If the label is not visible, it is the accessible name.
 */
export function CopyButton({
  text,
  label,
  visible = false,
  onCopied,
  'data-first': first,
  ...style
}: ButtonStyle & {
  readonly text: string;
  readonly label: string;
  readonly visible?: boolean;
  readonly onCopied?: () => void;
  readonly 'data-first'?: boolean;
}) {
  const { copied, copy } = useCopy(onCopied);
  const Icon = copied ? Check : Copy;
  return (
    <Button
      variant={style.variant ?? 'quiet'}
      size={style.size ?? (visible ? 'regular' : 'icon')}
      onClick={() => void copy(text)}
      data-first={first}
      {...(visible ? {} : { 'aria-label': label, title: label })}
    >
      <Icon size={14} aria-hidden="true" className={copied ? 'text-good' : undefined} />
      {visible && (copied ? 'Copied' : label)}
      <output className="sr-only">{copied && !visible ? 'Copied' : ''}</output>
    </Button>
  );
}
