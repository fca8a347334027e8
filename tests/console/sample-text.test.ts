import { expect, test } from 'vitest';
import { fillSample, hasKeySample } from '../../app/docs/components/sample-text';

// What the copy buttons of the documentation put in place of the variables of the samples.

const values = { baseUrl: 'https://media.example.com', key: 'pb_test_abc' };

test.each([
  [
    'the shell',
    'curl $PATCHBAY/v1/credits -H "Authorization: Bearer $PATCHBAY_API_KEY"',
    'curl https://media.example.com/v1/credits -H "Authorization: Bearer pb_test_abc"',
  ],
  [
    'the shell, with braces',
    'echo ${PATCHBAY}/v1 ${PATCHBAY_API_KEY}',
    'echo https://media.example.com/v1 pb_test_abc',
  ],
  [
    'an export of the shell',
    'export PATCHBAY_API_KEY=$(node -p "require(\'./first-run.json\').keys.test")\nnext',
    'export PATCHBAY_API_KEY=pb_test_abc\nnext',
  ],
  [
    'JavaScript',
    'new Client({ baseURL: process.env.PATCHBAY, apiKey: process.env.PATCHBAY_API_KEY! })',
    "new Client({ baseURL: 'https://media.example.com', apiKey: 'pb_test_abc' })",
  ],
  ['a template of JavaScript', '`Bearer ${process.env.PATCHBAY_API_KEY}`', '`Bearer pb_test_abc`'],
  ['Python', 'Client(api_key=os.environ["PATCHBAY_API_KEY"])', 'Client(api_key="pb_test_abc")'],
])('fills the variables of %s', (_, sample, filled) => {
  expect(fillSample(sample, values)).toBe(filled);
});

test('leaves other variables as they are', () => {
  const sample = 'echo $PATCHBAY_LIVE_KEY $PATCHBAY_API_KEY_2 process.env.PATCHBAY_URL';
  expect(fillSample(sample, values)).toBe(sample);
});

test.each([
  ['Authorization: Bearer $PATCHBAY_API_KEY', true],
  ['process.env.PATCHBAY_API_KEY', true],
  ['the variable PATCHBAY_API_KEY', false],
])('says of %s whether it needs a key', (text, needs) => {
  expect(hasKeySample(text)).toBe(needs);
});
