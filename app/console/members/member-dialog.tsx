'use client';

import type { MemberJson } from '../../../lib/contract/members';
import { ConfirmDialog } from '../components/ui/confirm-dialog';
import { toast } from '../components/ui/toast';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';

/**
 * Asks for confirmation before a member is removed, before a member becomes the owner in place of the user, and before
 * the user leaves.
 */
export function MemberDialog({
  dialog,
  of: member,
  orgName,
  onDone,
  onClose,
}: {
  readonly dialog: 'remove' | 'transfer' | 'leave';
  readonly of: MemberJson;
  readonly orgName: string;
  onDone(): Promise<unknown>;
  onClose(): void;
}) {
  const name = member.name ?? member.email;

  if (dialog === 'leave')
    return (
      <ConfirmDialog
        title={`Leave ${orgName}?`}
        confirmLabel="Leave organisation"
        fallbackError="You could not leave the organisation. Try again."
        onConfirm={async () => {
          await send('POST', apiPaths.leaveOrganization());
          window.location.assign(paths.overview());
        }}
        onClose={onClose}
      >
        <p className="text-sm">
          You lose access at once. To come back, you need a new invitation. Keys that you created stay, but can no
          longer manage the organisation.
        </p>
      </ConfirmDialog>
    );

  if (dialog === 'transfer')
    return (
      <ConfirmDialog
        title={`Transfer the ownership to ${name}?`}
        confirmLabel="Transfer ownership"
        variant="primary"
        fallbackError="The ownership could not be transferred. Try again."
        onConfirm={async () => {
          await send('POST', apiPaths.transferOwnership(member.id));
          toast(`${name} is now an owner.`);
          // The controls of this page depend on the role of the user.
          window.location.reload();
        }}
        onClose={onClose}
      >
        <p className="text-sm">
          {name} becomes an owner of {orgName}, and you become an admin. Only an owner can undo this.
        </p>
      </ConfirmDialog>
    );

  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      confirmLabel="Remove member"
      cancelLabel="Keep"
      fallbackError="The member could not be removed. Try again."
      onConfirm={async () => {
        await send('DELETE', apiPaths.member(member.id));
        await onDone();
        toast(`${name} is no longer a member.`);
        onClose();
      }}
      onClose={onClose}
    >
      <p className="text-sm">
        {name} loses access to {orgName} within 5 seconds, and so do open connections of the console. Keys that {name}{' '}
        created stay, but can no longer manage the organisation; revoke those that {name} may have copied. Pending
        invitations by {name} are withdrawn.
      </p>
    </ConfirmDialog>
  );
}
