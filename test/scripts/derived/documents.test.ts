import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventDocument } from '../../../scripts/derived/event-document.ts';
import { resourceDocument } from '../../../scripts/derived/resource-document.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('has the definitions that a file refers to, with their examples, and refuses an incomplete x-resource', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'teams.yaml');
  const text =
    'x-resource: { name: team, example: 3, missing: 99 }\nused: ../generated/resources.yaml#/components/';
  await writeFile(file, `${text}responses/TeamNotFound`);
  const names = Array.from(resourceDocument(folder).matchAll(/^ {4}(\w+): /gm), ([, name]) => name);
  expect(names).toEqual(['TeamNotFound', 'NoTeam']);
  await writeFile(file, text.replace('example: 3, ', ''));
  expect(() => resourceDocument(folder)).toThrow(`${file}: x-resource needs name, example and missing.`);
  await writeFile(file, `${text}responses/TeamNotFound\nx-events: {}`);
  expect(() => resourceDocument(folder)).toThrow(
    `${file}: the events of team need a number that no other file has.`,
  );
});

test('an event without an example of its full form is refused, with its file and name', async () => {
  const folder = await temporaryFolder();
  const event =
    'summary: A team was created.\n    description: Sent when a team is created.\n    data: Team\n';
  await writeFile(join(folder, 'teams.yaml'), `x-events:\n  team.created:\n    ${event}`);
  expect(() => eventDocument(folder)).toThrow(
    `${join(folder, 'teams.yaml')}: the event team.created needs summary, description, data, and an example with timestamp, data and meta.`,
  );
});
