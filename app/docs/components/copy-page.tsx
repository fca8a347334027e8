'use client';

import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../console/components/ui/button';
import { useCopy } from '../../console/components/ui/copy-button';

/** Copies the Markdown of the page at this path. */
export function CopyPage({ path }: { readonly path: string }) {
  const { copied, copy } = useCopy();
  const [error, setError] = useState<string>();

  async function copyPage() {
    setError(undefined);
    try {
      const response = await fetch(path);
      if (!response.ok) throw new Error(String(response.status));
      await copy(await response.text());
    } catch {
      setError('The page could not be copied. Open it as Markdown instead.');
    }
  }

  const Icon = copied ? Check : Copy;
  return (
    <span className="inline-flex items-center gap-2">
      <Button variant="secondary" size="small" onClick={() => void copyPage()}>
        <Icon size={14} aria-hidden="true" className={copied ? 'text-good' : undefined} />
        Copy as Markdown
      </Button>
      <output className={error === undefined ? 'sr-only' : 'text-xs text-bad'}>
        {error ?? (copied ? 'Copied' : '')}
      </output>
    </span>
  );
}
