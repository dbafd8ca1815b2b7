import { changes, type Gate, lint, testOf, types } from './gates.ts';

/** A mistake in the new resource, with the gate that must detect it. */
export interface Mistake {
  name: string;
  patches: readonly { file: string; from: string | RegExp; to: string }[];
  gate: Gate;
  /** The expected line in the gate's output. */
  says: RegExp;
}

const handlers = 'server/features/teams/handlers.ts';
const queries = 'server/storage/queries/teams.ts';

/** Mistakes that a developer can make while following the recipe. */
export const mistakes: readonly Mistake[] = [
  {
    name: 'a status that the operation does not document',
    patches: [{ file: handlers, from: 'status: 201,', to: 'status: 202,' }],
    gate: types,
    says: /202/,
  },
  {
    name: 'a required header is missing',
    patches: [
      {
        file: handlers,
        from: "    headers: pageHeaders(pathOf('listTeams'), query, { last, total }),\n",
        to: '',
      },
    ],
    gate: types,
    says: /headers/,
  },
  {
    name: 'an operation without a scope',
    patches: [{ file: 'openapi/paths/teams.yaml', from: "bearerAuth: ['teams:read']", to: 'bearerAuth: []' }],
    gate: lint,
    says: /List the scopes that listTeams needs/,
  },
  {
    name: 'an example that violates its schema',
    patches: [{ file: 'openapi/components/examples/TeamPage.yaml', from: 'name: Support', to: 'name: 7' }],
    gate: lint,
    says: /`name` property type should be string|name.*string/,
  },
  {
    name: 'an Idempotency-Key that is ignored',
    patches: [{ file: handlers, from: '{ caller, key, owner', to: '{ caller, key: undefined, owner' }],
    gate: testOf('test/server/contract/idempotent-creates.test.ts'),
    says: /createTeam must run in runIdempotent/,
  },
  {
    name: "a list that contains other companies' teams",
    patches: [
      {
        file: queries,
        from: "    .where('company_id', '=', companyId)\n    .where(isAfter({ after, order }))\n    .orderBy('id', order)",
        to: "    .where(isAfter({ after, order }))\n    .orderBy('id', order)",
      },
    ],
    gate: testOf('test/server/features/teams/teams.test.ts'),
    says: /A statement has no condition on company_id for each table/,
  },
  {
    name: 'a table without an index',
    patches: [
      {
        file: 'server/storage/migrations/0000-expand-teams.ts',
        from: "    .addUniqueConstraint('teams_of_company', ['company_id', 'id'])\n",
        to: '',
      },
    ],
    gate: testOf('test/server/features/teams/teams.test.ts'),
    says: /reads all of teams, because no index fits/,
  },
  {
    name: 'an event that is published outside of the transaction',
    patches: [
      {
        file: handlers,
        from: '    await publish(db, {',
        to: '    await store.read((outside) => publish(outside, {',
      },
      {
        file: handlers,
        from: '      now,\n    });\n    return { status: 201',
        to: '      now,\n    }));\n    return { status: 201',
      },
      { file: handlers, from: '{ runIdempotent, now: clock }', to: '{ store, runIdempotent, now: clock }' },
    ],
    gate: types,
    says: /is not assignable to parameter of type 'Transaction'/,
  },
  {
    name: 'a property that is accepted and dropped',
    patches: [
      {
        file: 'openapi/components/schemas/TeamCreate.yaml',
        from: '  name: { $ref: TeamName.yaml }',
        to: '  name: { $ref: TeamName.yaml }\n  motto: { type: string, description: A motto., examples: [Onwards] }',
      },
    ],
    gate: types,
    says: /Property 'motto' is incompatible with index signature/,
  },
  {
    name: 'an export that leaves the table out',
    patches: [{ file: 'server/privacy/export-company.ts', from: '  teams: exportTeams,\n', to: '' }],
    gate: types,
    says: /Property 'teams' is missing/,
  },
  {
    name: 'an event that no webhook can select',
    patches: [
      { file: 'openapi/components/schemas/WebhookEntityId.yaml', from: ', 6]', to: ']' },
      { file: 'openapi/components/schemas/WebhookEntityId.yaml', from: ', team]', to: ']' },
    ],
    gate: lint,
    says: /No webhook can subscribe to team.created: add a number/,
  },
  {
    name: 'no new version',
    patches: [{ file: 'openapi/openapi.yaml', from: /version: .*/, to: 'version: 0.0.0' }],
    gate: changes,
    says: /info\.version is 0\.0\.0; the changes since .* require/,
  },
];
