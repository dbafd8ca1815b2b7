import { client } from './generated/client/client.gen.ts';
import { createTicket, deleteTicket, getTicket, listTickets } from './generated/client/index.ts';

const createOperations = (options: object) => (baseUrl: string, auth: string) => {
  client.setConfig({ baseUrl, auth, ...options });
  const path = { id: 1 };
  return [
    () => result(listTickets()),
    () => result(getTicket({ path })),
    () => result(createTicket({ body: { title: 'Third' } })),
    () => result(deleteTicket({ path })),
  ];
};

async function result(call: Promise<{ data: unknown; error: unknown; response?: Response }>) {
  const { data, error, response } = await call;
  if (error !== undefined) throw Object.assign(new Error('failed'), { status: response?.status, error });
  return data;
}

export const variants = {
  default: createOperations({}),
  "parseAs: 'json'": createOperations({ parseAs: 'json' }),
  'fetch with AbortSignal.timeout': createOperations({
    fetch: (request: Request) => fetch(request, { signal: AbortSignal.timeout(4_000) }),
  }),
};
