import { RESPONSES, type OpenApiDocument, type OpenApiResponse } from './openapi-document';

/** Turns responses that several operations share, mostly errors, into components that are named by their status. */
export function shareResponses(paths: OpenApiDocument['paths']): {
  readonly paths: OpenApiDocument['paths'];
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
} {
  const uses = new Map<string, number>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods)))
    for (const [status, response] of Object.entries(operation.responses)) {
      const text = keyOf(status, response);
      uses.set(text, (uses.get(text) ?? 0) + 1);
    }
  const responses: Record<string, OpenApiResponse> = {};
  const references = new Map<string, { readonly $ref: string }>();
  const shared = (status: string, response: OpenApiResponse | { readonly $ref: string }) => {
    const text = keyOf(status, response);
    if ('$ref' in response || (uses.get(text) ?? 0) < 2) return response;
    const known = references.get(text);
    if (known) return known;
    const first = statusNames[status] ?? `Status${status}`;
    let name = first;
    for (let count = 2; name in responses; count += 1) name = `${first}${count}`;
    responses[name] = response;
    const reference = { $ref: RESPONSES + name };
    references.set(text, reference);
    return reference;
  };
  return {
    paths: mapValues(paths, (methods) =>
      mapValues(methods, (operation) => ({
        ...operation,
        responses: mapValues(operation.responses, (response, status) => shared(status, response)),
      })),
    ),
    responses,
  };
}

const statusNames: Readonly<Record<string, string>> = {
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  402: 'PaymentRequired',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'RequestTimeout',
  409: 'Conflict',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  416: 'RangeNotSatisfiable',
  421: 'MisdirectedRequest',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
  504: 'GatewayTimeout',
  529: 'Overloaded',
};

const keyOf = (status: string, response: unknown) => `${status} ${JSON.stringify(response)}`;

function mapValues<Value, Mapped>(
  values: Readonly<Record<string, Value>>,
  map: (value: Value, name: string) => Mapped,
): Readonly<Record<string, Mapped>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));
}
