// The regions of Vertex AI and their hosts.

/** The region of the examples in the reference. */
export const DEFAULT_REGION = 'us-central1';

export function hostOf(region: string): string {
  if (region === 'global') return 'aiplatform.googleapis.com';
  // Groups of regions.
  if (region === 'eu' || region === 'us') return `aiplatform.${region}.rep.googleapis.com`;
  return `${region}-aiplatform.googleapis.com`;
}
