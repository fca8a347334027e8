'use client';

import { CirclePause, CirclePlay, Ellipsis, KeyRound, Pencil, Send, Trash2 } from 'lucide-react';
import type { EndpointJson } from '../../../lib/contract/webhooks';
import { buttonClass } from '../components/ui/button-class';
import { Menu } from '../components/ui/menu';
import { toast } from '../components/ui/toast';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

export function EndpointMenu({
  of: endpoint,
  onTest,
  onChange,
  onSecret,
  onRemove,
  onToggled,
}: {
  readonly of: EndpointJson;
  onTest(): void;
  onChange(): void;
  onSecret(): void;
  onRemove(): void;
  /** Called after the endpoint was paused or resumed. */
  onToggled(): Promise<unknown>;
}) {
  const isPaused = endpoint.paused !== null;

  async function toggle() {
    try {
      await send('PATCH', apiPaths.webhookEndpoint(endpoint.id), { paused: !isPaused });
      toast(
        isPaused
          ? 'The endpoint receives webhooks again. Those that it missed are listed as not sent, and can be resent now.'
          : 'The endpoint is paused. Webhooks that it misses are kept, and can be resent later.',
      );
    } catch (error) {
      toast(error instanceof Error ? error.message : 'The endpoint could not be changed. Try again.');
    }
    await onToggled();
  }

  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Actions for ${endpoint.url}`}
          className={buttonClass({ variant: 'quiet', size: 'icon' })}
        >
          <Ellipsis size={16} aria-hidden="true" />
        </button>
      }
      items={[
        { label: 'Send a test…', icon: Send, onSelect: onTest },
        { label: 'Signing secret…', icon: KeyRound, onSelect: onSecret },
        { label: 'Change…', icon: Pencil, onSelect: onChange },
        {
          label: isPaused ? 'Resume' : 'Pause',
          icon: isPaused ? CirclePlay : CirclePause,
          onSelect: () => void toggle(),
        },
        { label: 'Remove…', icon: Trash2, tone: 'danger', separatorAbove: true, onSelect: onRemove },
      ]}
    />
  );
}
