import { createConfig, lintFromString, type RawUniversalConfig } from '@redocly/openapi-core';

/** What a linter of OpenAPI and AsyncAPI finds in this document; empty if it has no mistake. */
export async function lintDocument(document: object, rules: RawUniversalConfig['rules'] = {}): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'document.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`);
}
