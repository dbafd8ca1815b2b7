import type { TestResource } from './resource.ts';

export const message: TestResource = {
  async create({ api }, word, { conversation }) {
    const body = { conversation_id: conversation, type: 'text', payload: word };
    return (await api.createMessage(body)).body.id;
  },
};
