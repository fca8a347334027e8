// Files that only a full run needs (PROOF_RUNS=1, as in the gate): walks through pages and processes that resemble those
// of the files that always run, proofs with every vendor of what the contract suites show with each, and migrations that
// are released and no longer change.

const FILES = [
  'tests/conformance/ended-key.test.ts',
  'tests/conformance/imitators.test.ts',
  'tests/conformance/offers.test.ts',
  'tests/conformance/video-vendors.test.ts',
  'tests/console/content-security-policy.test.ts',
  'tests/console/docs.test.ts',
  'tests/console/focus.test.ts',
  'tests/console/installation.test.ts',
  'tests/console/messages-playground.test.ts',
  'tests/console/organizations.test.ts',
  'tests/console/projects.test.ts',
  'tests/console/requests.test.ts',
  'tests/console/setup.test.ts',
  'tests/console/shell.test.ts',
  'tests/console/speech.test.ts',
  'tests/console/usage.test.ts',
  'tests/console/videos.test.ts',
  'tests/console/webhooks.test.ts',
  'tests/docs/contributing.test.ts',
  'tests/docs/samples.test.ts',
  'tests/examples/agent.test.ts',
  'tests/examples/video-page.test.ts',
  'tests/examples/voice-assistant.test.ts',
  'tests/lib/backup/backup.test.ts',
  'tests/lib/db/jobs-upgrade.test.ts',
  'tests/lib/db/operators-upgrade.test.ts',
  'tests/lib/db/spending-upgrade.test.ts',
  'tests/process/backup.test.ts',
  'tests/process/catalog-file.test.ts',
  'tests/process/credits.test.ts',
  'tests/process/outages.test.ts',
  'tests/process/revocation.test.ts',
  'tests/process/seed.test.ts',
  'tests/sockets/providers.test.ts',
];

/** Those that this run leaves out. A run with named files (NAMED_FILES) leaves out nothing. */
export function filesLeftToGate() {
  return process.env.NAMED_FILES === '1' || Number(process.env.PROOF_RUNS ?? 0) >= 1 ? [] : FILES;
}
