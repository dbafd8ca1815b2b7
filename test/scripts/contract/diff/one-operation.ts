/** The parts of a document that `oneOperation` completes, and other members of the document. */
export interface OneOperation {
  request?: object;
  response?: object;
  parameters?: object[];
  [member: string]: unknown;
}

const body = (schema: object) => ({ content: { 'application/json': { schema } } });

/** Returns a document with at most one operation for each method: a `request` is sent, a `response` received. */
export function oneOperation({ request, response, parameters, ...members }: OneOperation): object {
  const post = (request || parameters) && {
    operationId: 'postIt',
    ...(parameters && { parameters }),
    ...(request && { requestBody: { required: true, ...body(request) } }),
    responses: { 204: { description: '' } },
  };
  const get = response && {
    operationId: 'getIt',
    responses: { 200: { description: '', ...body(response) } },
  };
  const item = { ...(post && { post }), ...(get && { get }) };
  return { openapi: '3.1.0', info: { title: 'T', version: '1.0.0' }, paths: { '/t': item }, ...members };
}
