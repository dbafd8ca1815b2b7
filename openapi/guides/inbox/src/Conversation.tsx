import { useEffect, useState, useSyncExternalStore } from 'react';
import { reload, useMessages } from './api.ts';
import { describe } from './describe.ts';
import { discard, subscribe, waitingMessages, write } from './outbox.ts';

export function Conversation({ id }: { id: number }) {
  const { data, messages, error, isPending, hasNextPage, fetchNextPage } = useMessages(id);
  const isShown = (sent: number | undefined) => messages.some((message) => message.id === sent);
  const waiting = useSyncExternalStore(subscribe, waitingMessages).filter((each) => each.conversation === id);
  const lastSent = waiting.findLast(({ sent }) => sent !== undefined)?.sent;
  const unsent = waiting.filter(({ sent, rejected }) => sent === undefined && rejected === undefined);
  // A newer message with the same text may be an unsent one, until its response brings the ID.
  const isUnsent = (id: number, payload: string) =>
    unsent.some(({ text, after }) => text === payload && id > after) &&
    !waiting.some(({ sent }) => sent === id);
  const send = (text: string) => write({ conversation: id, text, after: messages.at(-1)?.id ?? 0 });

  // Load the conversation again after a message was sent. When all are sent, forget the ones that it contains.
  useEffect(() => {
    if (lastSent !== undefined) void reload(id);
  }, [id, lastSent]);
  useEffect(() => {
    if (unsent.length === 0) for (const { key, sent } of waiting) if (isShown(sent)) discard(key);
  });

  if (isPending) return <main>Loading…</main>;
  return (
    <main>
      {error && <p role="alert">{describe(error)}</p>}
      {hasNextPage && (
        <button type="button" onClick={() => fetchNextPage()}>
          Show older messages
        </button>
      )}
      {messages
        .filter(({ user_id, id, payload }) => user_id === null || !isUnsent(id, payload))
        .map((message) => (
          <p key={message.id} data-from={message.user_id === null ? 'contact' : 'company'}>
            {message.payload}
          </p>
        ))}
      {waiting
        .filter(({ sent }) => !isShown(sent))
        .map((each) => (
          <p key={each.key} data-from="company" data-waiting>
            {each.text} {each.rejected}
            {each.rejected && (
              <button type="button" onClick={() => discard(each.key)}>
                Discard
              </button>
            )}
          </p>
        ))}
      {data && <Editor onSend={send} />}
    </main>
  );
}

function Editor({ onSend }: { onSend: (text: string) => void }) {
  const [text, setText] = useState('');
  const send = () => {
    onSend(text);
    setText('');
  };
  return (
    <form action={send}>
      <input aria-label="Message" required value={text} onChange={({ target }) => setText(target.value)} />
      <button type="submit">Send</button>
    </form>
  );
}
