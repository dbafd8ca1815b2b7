import { useEffect, useSyncExternalStore } from 'react';
import { queryClient, reload } from './api.ts';
import { Conversation } from './Conversation.tsx';
import { ConversationList } from './ConversationList.tsx';
import { keepSending } from './outbox.ts';

/** The ID of the conversation is in the address, such as /#880, so that links and the back button work. */
const shownId = () => Number(location.hash.slice(1)) || undefined;

function onHashChange(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}

/** Loads conversations again when your server reports a new message. */
function useChanges(): void {
  useEffect(() => {
    const changes = new EventSource('/changes');
    // Changes were missed while there was no connection.
    changes.onopen = () => queryClient.invalidateQueries();
    changes.onmessage = ({ data }) => reload(JSON.parse(data).conversation);
    addEventListener('online', keepSending);
    return () => {
      changes.close();
      removeEventListener('online', keepSending);
    };
  }, []);
}

export function App() {
  useChanges();
  const id = useSyncExternalStore(onHashChange, shownId);
  return (
    <>
      <ConversationList shown={id} />
      {id === undefined ? <main>Choose a conversation.</main> : <Conversation key={id} id={id} />}
    </>
  );
}
