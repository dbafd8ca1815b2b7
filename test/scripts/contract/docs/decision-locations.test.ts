import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import document from '../../../../generated/openapi.json' with { type: 'json' };
import { addDecisionLocations } from '../../../../scripts/contract/docs/decision-locations.ts';

test('names the operations, events and components that refer to a decision', () => {
  const page = '# Decisions\n\n## D01 · What?\nText.\n\n## D02 · Why?\nText.\n';
  const described = addDecisionLocations(page, {
    'x-decision': ['D02'],
    paths: { '/pets': { get: { operationId: 'listPets', parameters: [{ 'x-decision': ['D01'] }] } } },
    webhooks: { 'pet.created': { post: { 'x-decision': ['D01', 'D02'] } } },
    components: { schemas: { Pet: { properties: { name: { 'x-decision': ['D01'] } } } } },
  });
  expect(described).toBe(`# Decisions

## D01 · What?
Text.

**Where.** \`listPets\`, \`pet.created\`, \`schemas/Pet\`.

## D02 · Why?
Text.

**Where.** the whole contract, \`pet.created\`.

`);
});

test('every decision of the contract has a location', () => {
  const sections = addDecisionLocations(readFileSync('openapi/decisions.md', 'utf8'), document).split(
    /^(?=## )/m,
  );
  for (const section of sections.slice(1)) expect(section).toMatch(/^\*\*Where\.\*\* ./m);
});
