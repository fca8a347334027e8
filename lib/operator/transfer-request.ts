import { transferRequestSchema, type TransferRequest } from '../contract/credits';
import { parseBody } from '../contract/parse-body';

/** Parses the body of a transfer. Throws as `parseBody` does. */
export function parseTransfer(body: unknown): TransferRequest {
  return parseBody(transferRequestSchema, body);
}
