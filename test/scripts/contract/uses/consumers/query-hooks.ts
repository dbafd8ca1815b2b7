// Hooks of a React application.
import { useMutation } from '@tanstack/react-query';
import createQueryClient from 'openapi-react-query';
import { type Contact, createClient } from 'parley-client';

const parley = createClient({ baseUrl: '/', token: '' });
const api = createQueryClient(parley.openapi);

function useAvatar(id: number) {
  return api.useQuery(
    'get',
    '/api/v1/contacts/{id}',
    { params: { path: { id } } },
    { select: (contact: Contact) => contact.avatar },
  );
}

function useSend() {
  return useMutation({
    mutationFn: (text: string) =>
      parley.throwing.POST('/api/v1/messages', {
        params: { header: { 'Idempotency-Key': crypto.randomUUID() } },
        body: { conversation_id: 880, type: 'text', payload: text },
      }),
  });
}

export function useHeader(): string {
  const { data } = useAvatar(4021);
  const { isPending } = useSend();
  return `${data ?? 'none'} ${isPending}`;
}
