import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { runConformance } from '../../../../scripts/testing/conformance/run.ts';
import { createRequestSender } from '../../../../scripts/testing/requests/send.ts';
import { contractOf } from '../../../support/contract-of.ts';
import { array, content, documentOf, integer, object, responses } from '../../../support/schemas.ts';
import { startListening } from '../../../support/start-listening.ts';

const trip = object({ km: integer }, 'km');
const trips = responses(array(trip), 200);
const created = { '201': { description: 'Created.' }, '400': { description: 'Invalid.' } };

/** Trips belong to a driver, and have no path of their own. `/stops` is a list that nothing adds to. */
const contract = contractOf(
  documentOf({
    '/drivers/{driver}/trips': {
      parameters: [{ name: 'driver', in: 'path', required: true, schema: { enum: ['a', 'b', 'c'] } }],
      get: { operationId: 'listTrips', responses: trips },
      post: {
        operationId: 'createTrip',
        requestBody: { required: true, ...content(trip) },
        responses: created,
      },
    },
    '/stops': { get: { operationId: 'listStops', responses: trips } },
  }),
);

/** Starts a service that lists trips with invalid distances. */
async function startTrips(): Promise<string> {
  const stored = new Map<string, { km: number }[]>();
  const app = express();
  app.use(express.json());
  const tripsOf = (driver: string) => stored.get(driver) ?? [];
  app.get('/drivers/:driver/trips', (req, res) => {
    res.json(tripsOf(req.params.driver).map(({ km }) => ({ km: String(km) })));
  });
  app.post('/drivers/:driver/trips', (req, res) => {
    if (!Number.isSafeInteger(req.body?.km)) return void res.sendStatus(400);
    stored.set(req.params.driver, [...tripsOf(req.params.driver), req.body]);
    res.status(201).end();
  });
  app.get('/stops', (_req, res) => void res.json([]));
  return startListening(app);
}

test('reads a list again after creates below the same resource, and names lists that were always empty', async () => {
  const url = await startTrips();
  const { send, close } = createRequestSender(url, 5_000);
  onTestFinished(close);
  const { findings, gaps } = await runConformance({
    ...{ contract, send, base: url, credentials: { headers: {}, query: {} } },
    ...{ phases: ['examples', 'stateful'], only: [], runs: 1, seed: 7 },
  });
  // Express returns 404 for unknown methods.
  const found = findings.filter(({ check }) => check !== 'rejects-method');
  expect(found.map(({ operation, message }) => `${operation}: ${message}`)).toEqual([
    'listTrips: the body of 200 is invalid: /*/km must be an integer',
  ]);
  expect(gaps.alwaysEmpty).toEqual(['listStops']);
});
