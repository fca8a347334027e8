'use client';

import { Question } from '../ui/question';
import { send } from '../../console-api';
import { apiPaths } from '../../paths';

export function DeleteVideoDialog({
  id,
  onClose,
  onDeleted,
}: {
  readonly id: string;
  onClose(): void;
  onDeleted(): void;
}) {
  return (
    <Question
      title="Delete this video?"
      act="Delete video"
      failed="The video could not be deleted. Try again."
      onAct={() => send('DELETE', apiPaths.video(id)).then(onDeleted)}
      onClose={onClose}
    >
      <p className="text-sm">
        The prompt, the media and the file of <code className="font-mono text-xs break-all">{id}</code> are removed for
        good: its links stop working, and its id is no longer known. What it cost stays in the ledger. This cannot be
        undone.
      </p>
    </Question>
  );
}
