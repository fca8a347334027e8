import { newId } from '../../../lib/domain/ids';
import { parseUsd } from '../../../lib/domain/money';
import { transfer } from '../../support/transfer';
import { createWork } from '../../support/work';
import { makeAcme, type Acme } from '../videos/make-acme';

export const DAY_MS = 86_400_000;

/** An account with work of all kinds on three days, a refund for a message, and one without a subject. */
export async function makeBusyAccount(): Promise<Acme> {
  const acme = await makeAcme();
  const { live } = acme;
  const work = createWork(acme);
  const refund = (change: object) =>
    transfer(acme, live, { kind: 'refund', reason: '=A reason, with "quotes"', ...change });
  await acme.submit(live, { seconds: 5 });
  await acme.settle();
  await acme.pass(6_000);
  await acme.gateway.videos.cancel(live, (await acme.submit(live, { seconds: 5 })).id);
  await acme.pass(DAY_MS);
  const [message] = await work.messages(live, [1n, parseUsd('0.300000007')], { firstTokenMs: 200 });
  await work.messages(live, [11n], { provider: 'beta', firstTokenMs: 400 });
  await work.audio(live, 7n);
  await work.audio(live, parseUsd('0.1'), { kind: 'transcription' });
  await acme.pass(DAY_MS);
  await work.messages({ ...live, keyId: newId('key') }, [13n], { model: 'another-model' });
  await refund({ amount: '0.000000001', subject: message });
  await refund({ amount: '0.2' });
  return acme;
}
