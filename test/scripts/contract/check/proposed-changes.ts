import document from '../../../../generated/openapi.json' with { type: 'json' };
import type { Patch } from '../../../../scripts/lib/project-copy.ts';

export interface ProposedChange {
  patches: Patch[];
  /** Whether to regenerate the generated files, as a contract change requires. */
  generated: boolean;
}

/** The contract's version, and the versions that can follow it. */
export const currentVersion = document.info.version;
const [major = 0, minor = 0, patch = 0] = currentVersion.split('.').map(Number);
export const nextVersion = `${major}.${minor}.${patch + 1}`;
export const nextMinorVersion = `${major}.${minor + 1}.0`;
export const nextMajorVersion = `${major + 1}.0.0`;

/** Sets the contract's version. */
export const setVersion = (version: string): Patch => ({
  file: 'openapi/openapi.yaml',
  from: `  version: ${currentVersion}`,
  to: `  version: ${version}`,
});

/** Adds an entry to the changelog. */
export const addEntry = (version: string, text: string): Patch => ({
  file: 'openapi/CHANGELOG.md',
  from: '# Changelog\n',
  to: `# Changelog\n\n## 22/11/2026 · ${version}\n\n${text}\n`,
});

const version = setVersion(nextVersion);
const entry = (text: string): Patch => addEntry(nextVersion, text);

/** Changes for which the tests run the contract check. Only `harmless` passes all checks. */
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
    // A contact status is added, without regenerating files and without a new version or a changelog entry.
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
        from: 'first_name: Mina',
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
