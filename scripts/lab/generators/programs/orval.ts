import axios from 'axios';
import { createTicket, deleteTicket, getTicket, listTickets } from './generated/client.ts';

const createOperations = (options: object) => (baseURL: string, token: string) => {
  Object.assign(axios.defaults, { baseURL, headers: { Authorization: `Bearer ${token}` }, ...options });
  return [
    async () => (await listTickets()).data,
    async () => (await getTicket(1)).data,
    async () => (await createTicket({ title: 'Third' })).data,
    async () => (await deleteTicket(1)).data,
  ];
};

export const variants = {
  default: createOperations({}),
  'axios.defaults.timeout': createOperations({ timeout: 4_000 }),
  "responseType: 'json', silentJSONParsing: false": createOperations({
    responseType: 'json',
    transitional: { silentJSONParsing: false },
  }),
};
