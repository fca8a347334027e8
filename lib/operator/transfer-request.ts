import { transferRequestSchema, type TransferRequest } from '../contract/credits';
import { parseBody } from '../contract/parse-body';

/** Parses the body of a transfer. Throws with `param` and a message; see `parseBody`. */
export function parseTransfer(body: unknown): TransferRequest {
  return parseBody(transferRequestSchema, body);
}
