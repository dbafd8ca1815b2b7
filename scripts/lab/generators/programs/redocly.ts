import { client } from './generated/client.ts';

const createOperations = (options: object, init: object) => (serverUrl: string, bearer: string) => {
  client.configure({ serverUrl, auth: { bearer }, ...options });
  const path = { id: 1 };
  return [
    () => client.listTickets({}, init),
    () => client.getTicket({ path }, init),
    () => client.createTicket({ body: { title: 'Third' } }, init),
    () => client.deleteTicket({ path }, init),
  ];
};

export const variants = {
  default: createOperations({}, {}),
  timeout: createOperations({ timeout: 4_000 }, {}),
  "parseAs: 'json'": createOperations({}, { parseAs: 'json' }),
};
