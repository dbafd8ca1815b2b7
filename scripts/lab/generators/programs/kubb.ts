import { axiosInstance } from '@kubb/plugin-client/clients/axios';
import { createTicket } from './generated/clients/createTicket.ts';
import { deleteTicket } from './generated/clients/deleteTicket.ts';
import { getTicket } from './generated/clients/getTicket.ts';
import { listTickets } from './generated/clients/listTickets.ts';

const createOperations = (options: object) => (baseURL: string, token: string) => {
  Object.assign(axiosInstance.defaults, {
    baseURL,
    headers: { Authorization: `Bearer ${token}` },
    ...options,
  });
  return [
    () => listTickets(),
    () => getTicket(1),
    () => createTicket({ title: 'Third' }),
    () => deleteTicket(1),
  ];
};

export const variants = {
  default: createOperations({}),
  'axiosInstance.defaults.timeout': createOperations({ timeout: 4_000 }),
  "responseType: 'json', silentJSONParsing: false": createOperations({
    responseType: 'json',
    transitional: { silentJSONParsing: false },
  }),
};
