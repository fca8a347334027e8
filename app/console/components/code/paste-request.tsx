'use client';

import { ClipboardPaste } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../ui/button';
import { TextArea } from '../ui/text-area';

/** Imports the JSON body of a request into a playground. */
export function PasteRequest({
  placeholder,
  hint,
  action,
  onRead,
}: {
  readonly placeholder: string;
  readonly hint: string;
  /** The label of the button. */
  readonly action: string;
  /** Throws an Error with a sentence for the user if the text cannot be read. */
  onRead(text: string): void;
}) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();

  function read() {
    try {
      onRead(text);
    } catch (error) {
      setError(error instanceof Error ? error.message : 'This request could not be read.');
    }
  }

  return (
    <div className="flex flex-col gap-2 border-t border-line pt-5">
      <TextArea
        label="Paste a request"
        rows={5}
        code
        className="max-h-60"
        value={text}
        placeholder={placeholder}
        hint={hint}
        error={error}
        onChange={(event) => {
          setText(event.target.value);
          setError(undefined);
        }}
      />
      <div>
        <Button disabled={text.trim() === ''} onClick={read}>
          <ClipboardPaste size={14} aria-hidden="true" /> {action}
        </Button>
      </div>
    </div>
  );
}
