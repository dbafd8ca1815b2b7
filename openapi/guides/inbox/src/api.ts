import { QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import createQueryClient from 'openapi-react-query';
import { createClient } from 'parley-client';

// The page has no token: your own server adds it. The client does not send an empty token.
export const parley = createClient({ baseUrl: '/', token: '' });
const api = createQueryClient(parley.openapi);

export const queryClient = new QueryClient({
  defaultOptions: {
    // The client retries already. Without `always`, requests would wait for a connection instead of showing an error.
    // React Query then no longer loads failed queries again when the connection returns, so ask for it.
    queries: { retry: false, networkMode: 'always', refetchOnReconnect: true },
  },
});

export function useContact(id: number) {
  return api.useQuery('get', '/api/v1/contacts/{id}', { params: { path: { id } } });
}

export function useConversations() {
  const query = useInfiniteQuery(
    parley.infinite('/api/v1/all/conversations', { params: { query: { order: 'desc', per_page: 20 } } }),
  );
  return { ...query, conversations: query.data?.pages.flatMap(({ items }) => items) ?? [] };
}

/** Returns the messages of a conversation, oldest first. `fetchNextPage` adds older ones. */
export function useMessages(id: number) {
  const path = { id };
  const query = useInfiniteQuery({
    queryKey: ['get', '/api/v1/conversations/{id}', { params: { path } }, 'infinite'],
    queryFn: async ({ pageParam, signal }) => {
      const { data, error, response } = await parley.GET('/api/v1/conversations/{id}', {
        params: { path, query: { messages_before: pageParam } },
        signal,
      });
      if (error) throw error;
      return { messages: data.messages, hasOlder: response.headers.has('X-Truncated-Conversations') };
    },
    // Before the largest ID: the newest messages.
    initialPageParam: Number.MAX_SAFE_INTEGER,
    getNextPageParam: ({ messages, hasOlder }) => (hasOlder ? messages[0]?.id : undefined),
  });
  return { ...query, messages: query.data?.pages.toReversed().flatMap(({ messages }) => messages) ?? [] };
}

/** Loads what a new message changes: its conversation, and the list. */
export async function reload(conversation: number): Promise<void> {
  const queryKey = ['get', '/api/v1/conversations/{id}', { params: { path: { id: conversation } } }];
  await Promise.all([
    queryClient.invalidateQueries({ queryKey }),
    queryClient.invalidateQueries({ queryKey: ['get', '/api/v1/all/conversations'] }),
  ]);
}
