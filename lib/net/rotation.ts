// Calls that wait for the same thing, in the order in which they resume. Organisations take turns, so that one with
// many waiting calls delays each other organisation by one of them and not by all.

/** Returns the calls that still wait after `served` has resumed: those of its organisation move behind the others. */
export function afterServing<Waiting extends { readonly orgId: string | undefined }>(
  waiting: readonly Waiting[],
  served: Waiting,
): Waiting[] {
  const left = waiting.filter((one) => one !== served);
  return [...left.filter(({ orgId }) => orgId !== served.orgId), ...left.filter(({ orgId }) => orgId === served.orgId)];
}
