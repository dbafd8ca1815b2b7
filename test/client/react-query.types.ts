import { useInfiniteQuery } from '@tanstack/react-query';
import createReactQuery from 'openapi-react-query';
import { expectTypeOf } from 'vitest';
import { NoResponseError, type ParleyClient, ParleyError } from '../../client/index.ts';

// Compiled but never called: hooks run only inside React.

export function useContacts(parley: ParleyClient) {
  const api = createReactQuery(parley.openapi);
  const query = api.useQuery('get', '/api/v1/contacts/{id}', { params: { path: { id: 1 } } });
  expectTypeOf(query.data?.first_name).toEqualTypeOf<string | null | undefined>();
  // @ts-expect-error A request without a response has no code.
  query.error?.code;
  if (query.error instanceof NoResponseError) expectTypeOf(query.error.attempts).toEqualTypeOf<number>();
  if (query.error instanceof ParleyError)
    switch (query.error.code) {
      case 40401:
        return;
      // @ts-expect-error The contract documents no such code.
      case 99999:
        return;
    }
  const contacts = useInfiniteQuery(parley.infinite('/api/v1/contacts'));
  expectTypeOf(contacts.data?.pages[0]?.items[0]?.first_name).toEqualTypeOf<string | null | undefined>();
  const { mutate } = api.useMutation('post', '/api/v1/messages');
  mutate({ body: { conversation_id: 1, type: 'text', payload: 'Hello' } });
  // @ts-expect-error The payload is missing.
  mutate({ body: { conversation_id: 1, type: 'text' } });
  // @ts-expect-error A number is a number.
  api.useQuery('get', '/api/v1/contacts/{id}', { params: { path: { id: '1' } } });
}
