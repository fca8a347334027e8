/** A file in a form. The name must not come from a caller. */
export interface FormFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly fileName: string;
}

export interface MultipartBody {
  readonly body: Uint8Array;
  /** With the boundary, for the header `content-type`. */
  readonly contentType: string;
}

/** Encodes a form as `multipart/form-data`. The bytes of its files are copied. */
export async function encodeMultipart(fields: Readonly<Record<string, string | FormFile>>): Promise<MultipartBody> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value.bytes)], { type: value.contentType }), value.fileName);
  }
  const encoded = new Response(form);
  return {
    body: new Uint8Array(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type') ?? '',
  };
}
