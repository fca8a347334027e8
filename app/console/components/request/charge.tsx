import type { RequestJson } from '../../../../lib/contract/requests';
import { ExactMoney } from '../ui/money';
import { NotCharged } from './not-charged';

/** Whether a request can still change. */
export function isRunning({ status }: Pick<RequestJson, 'status'>): boolean {
  return status === 'queued' || status === 'in_progress';
}

/** Shows what a request cost, or what is held or used while it runs. */
export function Charge({ request }: { readonly request: Pick<RequestJson, 'kind' | 'status' | 'cost'> }) {
  if (isRunning(request)) {
    const isHeld = request.kind === 'video';
    return (
      <span title={isHeld ? 'Held until it is finished; released if it fails' : 'Used so far'}>
        <ExactMoney amount={request.cost} />
        <span className="text-muted"> {isHeld ? 'held' : 'so far'}</span>
      </span>
    );
  }
  return request.cost === '0' ? <NotCharged /> : <ExactMoney amount={request.cost} />;
}
