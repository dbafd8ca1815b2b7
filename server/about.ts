import type { Request, RequestHandler, Response } from 'express';
import type { ContractDocument } from './pipeline/contract.ts';
import { requestIdFrom } from './pipeline/request-id.ts';
import { forBrowsers } from './pipeline/write.ts';

export interface About {
  document: ContractDocument;
  /** Whether the database answers, and is whole as far as is known. */
  databaseState: () => Promise<'ok' | 'away' | 'damaged'>;
  /** False as soon as the service is stopping. */
  isReady: () => boolean;
}

interface Page {
  status: number;
  type: string;
  text: string;
}

/** Whether it lives, whether it can work, and its contract: outside the interface, without a token. */
export function aboutTheService({ document, databaseState, isReady }: About): RequestHandler {
  let contract: string | undefined;
  let yaml: string | undefined;
  const pages: Record<string, () => Promise<Page>> = {
    '/healthz': async () => json(200, { status: 'ok' }),
    '/readyz': async () => {
      const database = await databaseState();
      const ready = isReady() && database === 'ok';
      return json(ready ? 200 : 503, {
        status: ready ? 'ready' : 'not ready',
        database,
      });
    },
    '/openapi.json': async () => {
      contract ??= JSON.stringify(document, null, 2);
      return { status: 200, type: 'application/json', text: contract };
    },
    '/openapi.yaml': async () => {
      // Nobody else waits for the library at the start.
      const { stringify } = await import('yaml');
      yaml ??= stringify(document, { aliasDuplicateObjects: false });
      return { status: 200, type: 'application/yaml', text: yaml };
    },
  };
  const show = async (page: () => Promise<Page>, req: Request, res: Response) => {
    const { status, type, text } = await page();
    res
      .status(status)
      .set({ ...forBrowsers, 'X-Request-Id': requestIdFrom(req.headers['x-request-id']) })
      .type(type)
      .send(text);
  };
  return (req, res, next) => {
    const page = Object.hasOwn(pages, req.path) ? pages[req.path] : undefined;
    return page && (req.method === 'GET' || req.method === 'HEAD') ? show(page, req, res) : next();
  };
}

const json = (status: number, body: object): Page => ({
  status,
  type: 'application/json',
  text: JSON.stringify(body),
});
