/**
 * Returns whether the client prefers a page to JSON: `text/html` is listed, and JSON is not listed with the same or a
 * higher weight.
 */
export function prefersHtml(accept: string | undefined): boolean {
  if (!accept?.includes('text/html')) return false;
  let html = 0;
  let json = 0;
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1) || 0;
    if (type === 'text/html') html = weight;
    if (type === 'application/json') json = weight;
  }
  return html > json;
}
