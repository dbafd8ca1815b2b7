import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { errorMessage } from '../../../server/lib/error-message.ts';
import type { StatefulService } from '../config.ts';
import type { ScenarioState } from '../mock/scenarios/scenario-state.ts';
import type { MockHandlerOptions } from './mock-handler.ts';

export interface ControlOptions extends MockHandlerOptions {
  /** Called after each control request, such as `POST /_mock/reset`. */
  onControl?: (status: number, request: string) => void;
}

/**
 * Adds the control requests of a mock: `POST /_mock/scenario` starts a scenario, `{"scenario": "slow"}`, or ends the current one,
 * `{"scenario": null}`.
 * @param service the service in memory, with control requests of its own
 */
export function addControls(
  app: Express,
  { config, controls: { scenarios } = {}, onControl }: ControlOptions,
  service: StatefulService | undefined,
): void {
  const controls: StatefulService['controls'] = {
    scenario: async (body) => startScenario(scenarios, body),
    ...service?.controls,
  };
  app.use('/_mock', ({ method, originalUrl }, res, next) => {
    res.on('finish', () => onControl?.(res.statusCode, `${method} ${originalUrl}`));
    next();
  });
  for (const [name, control] of Object.entries(controls)) {
    const respond: RequestHandler = async (req, res) => {
      const { status, body } = await control(req.body);
      res.status(status).json(body);
    };
    app.post(`/_mock/${name}`, express.json({ strict: false }), sayInvalid, respond);
  }
  const names = Object.keys(controls).map((name) => `POST /_mock/${name}`);
  const others = config.startStatefulService && !service ? ' Others need --stateful.' : '';
  const message = `There is no such control request. This mock has: ${names.join(', ')}.${others}`;
  app.use('/_mock', (_req, res) => void res.status(404).json({ message }));
}

const sayInvalid: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(422).json({ message: `Send JSON with Content-Type: application/json. ${errorMessage(error)}` });
};

function startScenario(scenarios: ScenarioState | undefined, body: unknown) {
  const { scenario }: { scenario?: unknown } = Object(body);
  try {
    if (scenario !== null && typeof scenario !== 'string')
      throw new Error('Send JSON such as {"scenario": "slow"}, or {"scenario": null} to end it.');
    if (!scenarios) throw new Error('The mock has no scenarios. Start it with --scenarios FILE.');
    scenarios.start(scenario === null ? undefined : { name: scenario });
    return { status: 204, body: undefined };
  } catch (error) {
    return { status: 422, body: { message: errorMessage(error) } };
  }
}
