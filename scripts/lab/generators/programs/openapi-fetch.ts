import createClient, { type Middleware } from 'openapi-fetch';
import type { paths } from './generated/client.ts';

const createOperations =
  (options: object, ...middlewares: Middleware[]) =>
  (baseUrl: string, token: string) => {
    const headers = { Authorization: `Bearer ${token}` };
    const client = createClient<paths>({ baseUrl, headers, ...options });
    client.use(...middlewares);
    const path = { id: 1 };
    return [
      () => result(client.GET('/tickets')),
      () => result(client.GET('/tickets/{id}', { params: { path } })),
      () => result(client.POST('/tickets', { body: { title: 'Third' } })),
      () => result(client.DELETE('/tickets/{id}', { params: { path } })),
    ];
  };

async function result<Data>(call: Promise<{ data?: Data; error?: unknown; response: Response }>) {
  const { data, error, response } = await call;
  if (error !== undefined) throw Object.assign(new Error('failed'), { status: response.status, error });
  return data;
}

export const variants = {
  default: createOperations({}),
  'a middleware that throws if response.ok is false': createOperations(
    {},
    {
      onResponse({ response: { ok, status } }) {
        if (!ok) throw Object.assign(new Error('failed'), { status });
      },
    },
  ),
  'fetch with AbortSignal.timeout': createOperations({
    fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(4_000) }),
  }),
};
