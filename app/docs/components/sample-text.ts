/** The values for the variables `PATCHBAY` and `PATCHBAY_API_KEY` in samples. */
export interface SampleValues {
  /** The base URL of the installation, without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string;
}

/**
 * Returns the sample with these values in place of the variables, as the shell, JavaScript and Python spell them, so
 * that it runs unchanged. A line `export PATCHBAY_API_KEY=$(…)` then exports the key itself.
 */
export function fillSample(text: string, { baseUrl, key }: SampleValues): string {
  return fill(fill(text, 'PATCHBAY_API_KEY', key), 'PATCHBAY', baseUrl);
}

function fill(text: string, name: string, value: string): string {
  const end = '(?![A-Za-z0-9_])';
  const patterns: readonly (readonly [RegExp, string])[] = [
    [new RegExp(`^(export ${name}=)\\$\\(.*\\)$`, 'gm'), `$1${value}`],
    [new RegExp(`\\$\\{process\\.env\\.${name}!?\\}`, 'g'), value],
    [new RegExp(`process\\.env\\.${name}${end}!?`, 'g'), `'${value}'`],
    [new RegExp(`os\\.environ\\[["']${name}["']\\]`, 'g'), `"${value}"`],
    [new RegExp(`\\$\\{${name}\\}|\\$${name}${end}`, 'g'), value],
  ];
  return patterns.reduce((filled, [pattern, by]) => filled.replace(pattern, by), text);
}

/** Whether a page has samples that need a key. */
export function hasKeySample(markdown: string): boolean {
  return /\$\{?PATCHBAY_API_KEY|process\.env\.PATCHBAY_API_KEY|os\.environ\[["']PATCHBAY_API_KEY/.test(markdown);
}
