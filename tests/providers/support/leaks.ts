// What must not appear in logs, receipts and kept bodies.

/** The values of the variables that are keys. */
export function secretsOf(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).flatMap(([name, value]) =>
    /KEY|TOKEN|SECRET|CREDENTIAL/.test(name) ? [value] : [],
  );
}

/** Bodies never have inline media in full: what was passed to `submitting` may have them only as data URLs. */
export function inlineMediaOf(value: unknown): string[] {
  if (typeof value === 'string')
    return !value.startsWith('data:') && /^[A-Za-z0-9+/]{60,}={0,2}$/.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(inlineMediaOf);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(inlineMediaOf);
  return [];
}
