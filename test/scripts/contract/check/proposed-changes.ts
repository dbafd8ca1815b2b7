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
  to: `# Changelog\n\n## 2026-11-22 · ${version}\n\n${text}\n`,
});

/** Changes the maximum length of the names of contacts. */
export const shorterName = (from: number, to: number): Patch => ({
  file: 'openapi/contacts.yaml',
  from: `    Name:\n      type: [string, 'null']\n      maxLength: ${from}\n`,
  to: `    Name:\n      type: [string, 'null']\n      maxLength: ${to}\n`,
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
        file: 'openapi/contacts.yaml',
        from: 'description: A page of contacts.',
        to: 'description: One page of contacts.',
      },
    ],
    generated: true,
  },
  breaking: {
    // A maximum length is reduced.
    patches: [version, entry('Names are shorter.'), shorterName(255, 200)],
    generated: true,
  },
  stale: {
    // A contact status is added, without regenerating files and without a new version or a changelog entry.
    patches: [
      {
        file: 'openapi/contacts.yaml',
        from: 'enum: [online, ',
        to: 'enum: [dreaming, online, ',
      },
    ],
    generated: false,
  },
  'wrong example': {
    // An example has a number instead of a string.
    patches: [
      {
        file: 'openapi/contacts.yaml',
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
