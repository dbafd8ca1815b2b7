import { Api } from './generated/client.ts';

interface Result {
  data: unknown;
  error?: unknown;
}

const dataOf = ({ data }: Result) => data;

/** The client returns the error of a body that cannot be parsed, and throws only others. */
function dataIfRead({ data, error }: Result) {
  if (error) throw error;
  return data;
}

const createOperations =
  (options: object, read = dataOf) =>
  (baseUrl: string, token: string) => {
    const securityWorker = () => ({ headers: { Authorization: `Bearer ${token}` } });
    const { tickets } = new Api({ baseUrl, securityWorker, ...options });
    return [
      async () => read(await tickets.listTickets()),
      async () => read(await tickets.getTicket(1)),
      async () => read(await tickets.createTicket({ title: 'Third' })),
      async () => read(await tickets.deleteTicket(1)),
    ];
  };

export const variants = {
  default: createOperations({}),
  'a check of error in each result': createOperations({}, dataIfRead),
  'customFetch with AbortSignal.timeout, and a check of error in each result': createOperations(
    {
      customFetch: (url: string, init: RequestInit) =>
        fetch(url, { ...init, signal: AbortSignal.timeout(4_000) }),
    },
    dataIfRead,
  ),
};
