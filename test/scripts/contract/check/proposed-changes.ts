import type { Patch } from '../../../../scripts/lib/project-copy.ts';

export interface ProposedChange {
  patches: Patch[];
  /** Whether the generated files are updated, as a contract change requires. */
  generated: boolean;
}

const version: Patch = { file: 'openapi/openapi.yaml', from: '  version: 1.1.8', to: '  version: 1.1.9' };
const entry = (text: string): Patch => ({
  file: 'openapi/CHANGELOG.md',
  from: '## 28/06/2022 · 1.1.8',
  to: `## 22/11/2026 · 1.1.9\n\n${text}\n\n## 28/06/2022 · 1.1.8`,
});

/** Five proposed changes. */
export const proposedChanges = {
  harmless: {
    // A description is reworded.
    patches: [
      version,
      entry('The pages of contacts are described better.'),
      {
        file: 'openapi/components/responses/Contacts.yaml',
        from: 'A page of contacts.',
        to: 'One page of contacts.',
      },
    ],
    generated: true,
  },
  breaking: {
    // A maximum length is reduced.
    patches: [
      version,
      entry('Names are shorter.'),
      { file: 'openapi/components/schemas/Name.yaml', from: 'maxLength: 255', to: 'maxLength: 200' },
    ],
    generated: true,
  },
  stale: {
    // A contact status is added, without generating.
    patches: [
      {
        file: 'openapi/components/schemas/ContactStatus.yaml',
        from: 'enum: [',
        to: 'enum: [dreaming, ',
      },
    ],
    generated: false,
  },
  'wrong example': {
    // An example has a number instead of a string.
    patches: [
      {
        file: 'openapi/components/examples/ContactCreateFull.yaml',
        from: 'first_name: Ada',
        to: 'first_name: 4021',
      },
    ],
    generated: true,
  },
  'drifted server': {
    // The service omits a property.
    patches: [
      {
        file: 'server/features/contacts/present.ts',
        from: '    avatar: safeAvatar(contact.avatar),\n',
        to: '',
      },
    ],
    generated: false,
  },
} satisfies Record<string, ProposedChange>;
