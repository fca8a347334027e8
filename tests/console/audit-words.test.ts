import { describe, expect, it } from 'vitest';
import { detailWords } from '../../app/console/audit/audit-words';

describe('the detail of an audit entry', () => {
  it('has the amount of a transfer with cents, and the reason as it was written', () => {
    expect(detailWords('credits.refunded', 'test $0.8: A failed video, $0.5 each')).toBe(
      'test $0.80: A failed video, $0.5 each',
    );
    expect(detailWords('credits.granted', 'live $1000: Invoice 7')).toBe('live $1,000.00: Invoice 7');
    expect(detailWords('credits.adjusted', 'live -$10: Correction')).toBe('live −$10.00: Correction');
    expect(detailWords('credits.granted', 'test $0.016456167: Pilot')).toBe('test $0.016456167: Pilot');
  });

  it('of another action is shown as it is', () => {
    expect(detailWords('organization.suspended', 'test $5: unpaid')).toBe('test $5: unpaid');
  });
});
