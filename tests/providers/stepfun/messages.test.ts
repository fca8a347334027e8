import { stepfun } from '../../../lib/providers/stepfun/index';
import { startFakeCompatibleVendor } from '../../support/upstreams/fake-compatible-vendor';
import { messagesContract } from '../contract/messages';
import { compatibleErrors, has, makeMessagesSubject } from '../support/messages-subject';

messagesContract(
  'stepfun',
  () =>
    makeMessagesSubject(stepfun, 'STEPFUN', () => startFakeCompatibleVendor({ bearer: true, path: '/v1/messages' })),
  { has, errors: compatibleErrors },
);
