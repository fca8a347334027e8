/** An error of a model's data. */
export interface FieldIssue {
  /** The field of the entry, such as `bindings`, 0, `price`; empty for the whole entry. */
  readonly path: readonly (string | number)[];
  /** One sentence. */
  readonly reason: string;
}

export interface CatalogIssue extends FieldIssue {
  readonly modelId: string;
}

/** Collects the errors of one model. */
export function createChecks() {
  const issues: FieldIssue[] = [];
  return {
    issues,
    expect(holds: boolean, path: FieldIssue['path'], reason: string): void {
      if (!holds) issues.push({ path, reason });
    },
  };
}
