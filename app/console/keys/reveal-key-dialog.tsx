'use client';

import { Download, TriangleAlert } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import type { CreatedKeyJson } from '../../../lib/contract/keys';
import { download } from '../components/download';
import { Button } from '../components/ui/button';
import { CopyButton } from '../components/ui/copy-button';
import { Dialog, DialogBody, DialogFooter } from '../components/ui/dialog';

/** Shows a new key once. The key is only in this component's props and state. `children` are below it. */
export function RevealKeyDialog({
  made,
  baseUrl,
  description,
  children,
  onClose,
}: {
  readonly made: CreatedKeyJson;
  readonly baseUrl: string;
  readonly description?: string;
  readonly children?: ReactNode;
  onClose(): void;
}) {
  const copied = useRef(false);
  const [warned, setWarned] = useState(false);
  const recordCopied = () => {
    copied.current = true;
    setWarned(false);
  };
  const leave = () => {
    if (copied.current || warned) onClose();
    else setWarned(true);
  };
  const line = `PATCHBAY_API_KEY=${made.key}`;

  return (
    <Dialog
      open
      onOpenChange={leave}
      title={`Your key “${made.name}”`}
      description={description ?? 'Copy it now. Only its hash is stored, so it cannot be shown again.'}
    >
      <DialogBody>
        <code
          data-testid="revealed-key"
          className="rounded-lg border border-line-strong bg-sunken px-3 py-2.5 font-mono text-sm break-all select-all"
        >
          {made.key}
        </code>
        <div className="grid grid-cols-2 gap-2">
          <CopyButton
            variant="secondary"
            size="small"
            visible
            data-first
            text={made.key}
            label="Copy key"
            onCopied={recordCopied}
          />
          <CopyButton
            variant="secondary"
            size="small"
            visible
            text={line}
            label="Copy .env line"
            onCopied={recordCopied}
          />
          <Button
            size="small"
            onClick={() => {
              // Not `.env`: browsers remove the dot.
              download('patchbay.env', `${line}\nPATCHBAY_BASE_URL=${baseUrl}\n`, 'text/plain');
              recordCopied();
            }}
          >
            <Download size={14} aria-hidden="true" /> Download .env
          </Button>
          <CopyButton
            variant="secondary"
            size="small"
            visible
            text={`curl ${baseUrl}/v1/credits -H "Authorization: Bearer ${made.key}"`}
            label="Copy as curl"
            onCopied={recordCopied}
          />
        </div>
        {children}
        <div
          role="alert"
          className={
            warned
              ? 'flex items-start gap-2.5 rounded-lg border border-warn/35 bg-warn/8 px-3 py-2.5 text-sm'
              : 'sr-only'
          }
        >
          {warned && (
            <>
              <TriangleAlert size={15} className="mt-0.5 shrink-0 text-warn" aria-hidden="true" />
              You have not copied the key yet. It will not be shown again.
            </>
          )}
        </div>
      </DialogBody>
      <DialogFooter>
        <Button variant={warned ? 'secondary' : 'primary'} onClick={leave}>
          {warned ? 'Close without copying' : 'Done'}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
