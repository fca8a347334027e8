import { findAlert, listOwners, type AlertRow } from '../db/alerts';
import type { Database } from '../db/database';
import { findOrganizationName } from '../db/organizations';
import type { Log } from '../domain/log';
import { usdText } from '../domain/money';
import type { JobHandler, JobOf } from '../jobs/job';
import type { Mailer } from '../mail/mailer';
import { alertPeriods } from './alert-periods';

// `alert.mail`: one e-mail to one owner. The job is dropped if the alert was removed or changed since, if the balance has
// recovered, or if the person is no longer an owner. Only a crash after the mail server accepted the e-mail, before the
// job is marked as done, sends it twice.

export function createMailAlert({
  db,
  baseUrl,
  mailer,
}: {
  readonly db: Database;
  readonly baseUrl: string;
  readonly mailer: Mailer | undefined;
}): JobHandler<'alert.mail'> {
  return async function mailAlert({ alertId, userId, crossedMs }) {
    if (!mailer) return 'done';
    const alert = await findAlert(db, alertId);
    if (alert?.crossedAt?.getTime() !== crossedMs) return 'done';
    const owner = (await listOwners(db, alert.orgId)).find(({ id }) => id === userId);
    if (!owner) return 'done';
    const organization = (await findOrganizationName(db, alert.orgId)) ?? '';
    const { subject, sentence } = wordsOf(alert);
    await mailer.send({
      to: owner.email,
      subject: `${subject}: ${organization}`.replaceAll(/[\r\n]+/g, ' '),
      text: `${sentence}\n\nOrganisation: ${organization}\nUsage: ${baseUrl}/console/usage?mode=${alert.mode}\nChange this alert: ${baseUrl}/console/usage/alerts?mode=${alert.mode}\n\nYou get this e-mail because you are an owner of the organisation.\n`,
    });
    return 'done';
  };
}

function wordsOf({ kind, mode, amountNanoUsd, crossedNanoUsd, crossedPeriod, crossedAt }: AlertRow): {
  readonly subject: string;
  readonly sentence: string;
} {
  const [amount, value] = [usdText(amountNanoUsd), usdText(crossedNanoUsd ?? 0n)];
  const credits = mode === 'test' ? 'test credits' : 'credits';
  if (kind === 'low_balance')
    return {
      subject: `Less than $${amount} of ${credits} left`,
      sentence: `$${value} of ${credits} are available, which is less than $${amount}. Requests that cost more than the available credits are refused.`,
    };
  const { day, month } = alertPeriods(crossedAt?.getTime() ?? 0);
  // The spending of a day's last minutes is noticed only after midnight, so the period may be over.
  const [period, now, before] = kind === 'daily_spend' ? [day, 'today', 'on'] : [month, 'this month', 'in'];
  const time = crossedPeriod === period ? now : `${before} ${crossedPeriod}`;
  return {
    subject: `$${amount} of ${credits} spent ${time}`,
    sentence: `$${value} of ${credits} were spent ${time} (UTC); your alert is at $${amount}. Requests are not stopped; to stop them, set a spend limit on a key.`,
  };
}

/** Called after many failures: the mail server could not be reached for a long time. */
export function createGiveUpAlertMail({ log }: { readonly log: Log }) {
  return async ({ alertId }: JobOf<'alert.mail'>): Promise<void> => {
    log.error('the e-mail of an alert could not be sent', { alertId });
  };
}
