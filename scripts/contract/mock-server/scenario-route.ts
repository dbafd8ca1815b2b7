import express, { type RequestHandler } from 'express';
import type { ScenarioState } from './scenarios.ts';

/**
 * Returns the handlers of `POST /_mock/scenario`, which starts a scenario: `{"scenario": "slow"}`. `null` ends the current
 * one.
 */
export const scenarioRoute = (scenarios: ScenarioState | undefined): RequestHandler[] => [
  express.json(),
  (req, res) => {
    const { scenario }: { scenario?: unknown } = req.body ?? {};
    try {
      if (scenario !== null && typeof scenario !== 'string')
        throw new Error('Send JSON such as {"scenario": "slow"}, or {"scenario": null} to end it.');
      if (!scenarios) throw new Error('The mock has no scenarios. Start it with --scenarios FILE.');
      scenarios.start(scenario ?? undefined);
      res.status(204).end();
    } catch (error) {
      res.status(422).json({ message: error instanceof Error ? error.message : String(error) });
    }
  },
];
