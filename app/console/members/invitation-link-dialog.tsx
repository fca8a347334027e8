'use client';

import type { MadeInvitationJson } from '../../../lib/contract/invitations';
import { Button } from '../components/ui/button';
import { CopyButton } from '../components/ui/copy-button';
import { Dialog, DialogBody, DialogFooter } from '../components/ui/dialog';

/** Shows the link of an invitation once; the link is not stored. */
export function InvitationLinkDialog({ made, onClose }: { readonly made: MadeInvitationJson; onClose(): void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="The invitation is ready"
      description="Copy the link now: it is not shown again. You can make a new one at any time."
    >
      <DialogBody>
        <output className="block text-sm">{sentenceOf(made)}</output>
        <div className="flex flex-col gap-3">
          <code
            data-testid="invitation-link"
            className="block rounded-lg border border-line bg-sunken px-3 py-2.5 font-mono text-xs break-all select-all"
          >
            {made.link}
          </code>
          <CopyButton text={made.link} label="Copy link" visible data-first variant="primary" />
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Done</Button>
      </DialogFooter>
    </Dialog>
  );
}

function sentenceOf({ email, mail }: MadeInvitationJson): string {
  if (email === null) return 'The first person who opens this link can join. Send it over a channel that you trust.';
  switch (mail) {
    case 'sent':
      return `We sent the link to ${email}.`;
    case 'failed':
      return `The e-mail to ${email} could not be sent. Send the link yourself, or try again later.`;
    case 'none':
      return `Send this link to ${email}: this installation sends no e-mails.`;
  }
}
