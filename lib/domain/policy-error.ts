import { GatewayError } from './errors';
import { refusalCodes, type PolicyRefusal } from './policy';

/** Creates the error for a request that a policy does not allow. */
export function policyError({ rule, level, sentence }: PolicyRefusal): GatewayError {
  return new GatewayError(refusalCodes[rule], sentence, {
    ...(rule === 'endpoint' || rule === 'address' ? {} : { param: 'model' }),
    details: { level, rule },
  });
}
