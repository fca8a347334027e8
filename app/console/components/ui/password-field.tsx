'use client';

import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps, type KeyboardEvent, type Ref } from 'react';
import { Button } from './button';
import { TextField } from './field';

/** A password field with a show button and a hint while caps lock is on. */
export function PasswordField({
  inputRef,
  hint,
  ...field
}: Omit<ComponentProps<typeof TextField>, 'type' | 'endAdornment' | 'ref'> & {
  readonly inputRef?: Ref<HTMLInputElement>;
}) {
  const [visible, setVisible] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const watchCapsLock = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'));
  const note = capsLock ? 'Caps lock is on.' : hint;
  return (
    <TextField
      {...field}
      {...(note ? { hint: note } : {})}
      ref={inputRef}
      type={visible ? 'text' : 'password'}
      onKeyDown={watchCapsLock}
      onKeyUp={watchCapsLock}
      endAdornment={
        <Button
          variant="quiet"
          size="icon"
          aria-label={visible ? 'Hide password' : 'Show password'}
          aria-pressed={visible}
          onClick={() => setVisible(!visible)}
          className="max-sm:size-10"
        >
          {visible ? <EyeOff size={15} aria-hidden="true" /> : <Eye size={15} aria-hidden="true" />}
        </Button>
      }
    />
  );
}
