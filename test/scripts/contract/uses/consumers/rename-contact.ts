// Replaces the first name of a contact, and keeps all its other properties.
import { createClient } from 'parley-client';

const parley = createClient({ baseUrl: 'https://parley.example.com', token: process.env.TOKEN ?? '' });

export const rename = (id: number, name: string): Promise<boolean> =>
  parley.changeContact(id, (contact) => ({ ...contact, first_name: name }));
