import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventDocument } from '../../../scripts/derived/event-document.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('an event without an example of its full form is refused, with its file and name', async () => {
  const folder = await temporaryFolder();
  const event =
    'summary: A team was created.\n    description: Sent when a team is created.\n    data: Team\n';
  await writeFile(join(folder, 'teams.yaml'), `x-events:\n  team.created:\n    ${event}`);
  expect(() => eventDocument(folder)).toThrow(
    `${join(folder, 'teams.yaml')}: the event team.created needs summary, description, data, and an example with timestamp, data and meta.`,
  );
});
