import { useContact, useConversations } from './api.ts';
import { describe } from './describe.ts';

function ContactName({ id }: { id: number }) {
  const { data, isPending } = useContact(id);
  if (isPending) return 'Loading…';
  return [data?.first_name, data?.last_name].filter(Boolean).join(' ') || `Contact ${id}`;
}

export function ConversationList({ shown }: { shown: number | undefined }) {
  const { conversations, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useConversations();
  if (isPending) return <nav>Loading…</nav>;
  // If only a later page failed, the list stays.
  return (
    <nav aria-label="Conversations">
      <h1>Inbox</h1>
      {error && <p role="alert">{describe(error)}</p>}
      <ul>
        {conversations.map(({ id, caller_id, service, messages }) => (
          <li key={id}>
            <a href={`#${id}`} aria-current={id === shown ? 'page' : undefined}>
              <ContactName id={caller_id} /> ({service})
            </a>
            <br />
            {messages.at(-1)?.payload}
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" onClick={() => fetchNextPage()} disabled={isFetchingNextPage}>
          Show more
        </button>
      )}
    </nav>
  );
}
