import { contactDefaults } from '../../server/own-contract/contact-properties.ts';

/** Part of a contact update: clears the properties that create requests write, and sets the others. */
export const unsetContact = { ...contactDefaults, avatar: null, status: 'online' };
