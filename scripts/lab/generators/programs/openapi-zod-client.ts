import { createApiClient } from './generated/client.ts';

const createOperations = (options: object, axiosConfig: object) => (baseUrl: string, token: string) => {
  const api = createApiClient(baseUrl, {
    axiosConfig: { headers: { Authorization: `Bearer ${token}` }, ...axiosConfig },
    ...options,
  });
  const params = { id: 1 };
  return [
    () => api.listTickets(),
    () => api.getTicket({ params }),
    () => api.createTicket({ title: 'Third' }),
    () => api.deleteTicket(undefined, { params }),
  ];
};

export const variants = {
  default: createOperations({}, {}),
  "validate: 'request'": createOperations({ validate: 'request' }, {}),
  "axiosConfig: responseType: 'json', silentJSONParsing: false": createOperations(
    {},
    { responseType: 'json', transitional: { silentJSONParsing: false } },
  ),
  'axiosConfig.timeout': createOperations({}, { timeout: 4_000 }),
};
