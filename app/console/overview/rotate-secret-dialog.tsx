'use client';

import type { WebhookSecretJson } from '../../../lib/webhooks/webhooks';
import { Question } from '../components/ui/question';
import { send } from '../console-api';
import { apiPaths } from '../paths';

export function RotateSecretDialog({
  onRotated,
  onClose,
}: {
  onRotated(secret: WebhookSecretJson): void;
  onClose(): void;
}) {
  return (
    <Question
      title="Rotate the signing secret?"
      act="Rotate secret"
      look="primary"
      failed="Rotating did not work. Try again."
      onAct={() => send<WebhookSecretJson>('POST', apiPaths.rotateWebhookSecret()).then(onRotated)}
      onClose={onClose}
    >
      <p className="text-sm">
        A new secret is made and shown. For 24 hours every webhook carries both signatures, so that you can change your
        receivers one by one; after that the old secret no longer signs.
      </p>
    </Question>
  );
}
