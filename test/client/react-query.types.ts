import createReactQuery from 'openapi-react-query';
import { expectTypeOf } from 'vitest';
import type { ParleyClient } from '../../client/index.ts';

// Compiled but never called: hooks run only inside React.

export function useContacts(parley: ParleyClient) {
  const api = createReactQuery(parley.openapi);
  const query = api.useQuery('get', '/api/v1/contacts/{id}', { params: { path: { id: 1 } } });
  expectTypeOf(query.data?.first_name).toEqualTypeOf<string | null | undefined>();
  expectTypeOf(query.error?.code).toEqualTypeOf<number | undefined>();
  const { mutate } = api.useMutation('post', '/api/v1/messages');
  mutate({ body: { conversation_id: 1, type: 'text', payload: 'Hello' } });
  // @ts-expect-error The payload is missing.
  mutate({ body: { conversation_id: 1, type: 'text' } });
  // @ts-expect-error A number is a number.
  api.useQuery('get', '/api/v1/contacts/{id}', { params: { path: { id: '1' } } });
}
