import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import express from 'express';
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import type { OpenApiDocument } from '../../../../scripts/lib/openapi-document.ts';
import { contract, rejected } from '../../../../scripts/runtime-package/express.ts';
import { readYaml } from '../../../support/read-yaml.ts';
import { startListening } from '../../../support/start-listening.ts';

/** The faults and properties that the boards' server can have. Without them, it conforms. */
export type BoardsFault =
  /** The key that `rotateKey` replaces stops working. */
  | 'ends the key at a rotation'
  /** The session works until `logOut`, while the key stays valid. */
  | 'ends the session'
  /** Any request for a board ends the key. */
  | 'ends the key when a board is read'
  /** The service ends, and its connections break, while it processes such a request. */
  | 'crashes when a board is changed'
  /** The service ends after the response. */
  | 'stops when asked to'
  /** Every seventh request for boards gets 429, without Retry-After. */
  | 'limits without Retry-After'
  /** The same with Retry-After. */
  | 'limits'
  /** The same with a Retry-After of 60 s. */
  | 'limits for a minute'
  /** Boards are stored with other points than those that the create returned. */
  | 'stores other points'
  /** A removed board is still there. */
  | 'keeps removed boards'
  /** A missing board gets 404 for every method. */
  | 'looks up before it checks the method';

interface Board {
  id: string;
  title: string;
  points?: number;
}
interface Input {
  path: Record<string, string>;
  headers: Record<string, string>;
  body: { title: string; points?: number };
}

export const boardsContract: OpenApiDocument = readYaml(import.meta.dirname, 'boards.yaml').contract;

const missing = { status: 404, body: { title: 'It does not exist.' } };
const etagOf = (board: Board) =>
  `"${createHash('sha1').update(JSON.stringify(board)).digest('hex').slice(0, 8)}"`;

/**
 * Starts a server for the boards' contract, on the public middleware.
 * @returns its URL, and the methods and paths of the requests that it received
 */
export async function startBoards(...faults: BoardsFault[]): Promise<{ url: string; received: string[] }> {
  const is = (fault: BoardsFault) => faults.includes(fault);
  const tenants = new Map<string, Map<string, Board>>();
  const received: string[] = [];
  const replies = new Map<string, { status: number; body: Board }>();
  let [isKeyValid, hasSession] = [true, true];
  const boardsOf = ({ headers }: Input) => {
    const tenant = headers['x-tenant'] ?? '';
    const boards = tenants.get(tenant) ?? new Map<string, Board>();
    tenants.set(tenant, boards);
    return boards;
  };
  const boardOf = (input: Input) => boardsOf(input).get(input.path.boardId ?? '');
  const given = (id: string, { body: { title, points } }: Input): Board => ({
    ...{ id, title },
    ...(points === undefined ? {} : { points }),
  });

  const server = createServer();
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  const handlers = {
    rotateKey: async () => {
      if (is('ends the key at a rotation')) isKeyValid = false;
      return { status: 200, body: { key: 'another' } };
    },
    getSession: async () => ({ status: 204 }),
    logOut: async () => {
      if (is('ends the session')) hasSession = false;
      return { status: 204 };
    },
    stop: async () => {
      if (is('stops when asked to')) setImmediate(() => setImmediate(end));
      return { status: 204 };
    },
    listBoards: async (input: Input) => ({ status: 200, body: [...boardsOf(input).values()] }),
    addBoard: async (input: Input) => {
      const board = given(randomUUID().slice(0, 8), input);
      boardsOf(input).set(board.id, is('stores other points') ? { ...board, points: 1 } : board);
      return { status: 201, body: board };
    },
    removeBoards: async (input: Input) => {
      boardsOf(input).clear();
      return { status: 204 };
    },
    getBoard: async (input: Input) => {
      if (is('ends the key when a board is read')) isKeyValid = false;
      const board = boardOf(input);
      return board ? { status: 200, headers: { ETag: etagOf(board) }, body: board } : missing;
    },
    changeBoard: async (input: Input) => {
      const board = boardOf(input);
      if (!board) return missing;
      const key = input.headers['idempotency-key'] ?? '';
      const before = replies.get(key);
      if (before) return before;
      if (input.headers['if-match'] !== etagOf(board)) return { status: 412, body: { title: 'It changed.' } };
      const changed = given(board.id, input);
      boardsOf(input).set(board.id, changed);
      replies.set(key, { status: 200, body: changed });
      return { status: 200, body: changed };
    },
    removeBoard: async (input: Input) => {
      const remove = is('keeps removed boards') ? 'has' : 'delete';
      return boardsOf(input)[remove](input.path.boardId ?? '') ? { status: 204 } : missing;
    },
  };

  const app = express();
  app.use((req, res, next) => {
    received.push(`${req.method} ${req.path}`);
    const waits = { 'Retry-After': is('limits for a minute') ? '60' : '0' };
    const limits = is('limits') || is('limits for a minute') || is('limits without Retry-After');
    const exists = () => [...tenants.values()].some((boards) => boards.has(req.path.slice(8)));
    const isOneBoard = /^\/boards\/[^/]+$/.test(req.path);
    const problem = (status: number, headers: Record<string, string> = {}) =>
      void res.status(status).set(headers).type('application/problem+json').send('{"title":"No."}');
    if (limits && req.path === '/boards' && received.length % 7 === 0)
      problem(429, is('limits without Retry-After') ? {} : waits);
    else if (is('crashes when a board is changed') && req.method === 'PUT') end();
    else if (is('looks up before it checks the method') && isOneBoard && req.method !== 'GET' && !exists())
      problem(404);
    else next();
  });
  app.use(
    contract(compileContract(boardsContract), {
      handlers,
      authenticate: async ({ schemes, headers }) => {
        const isSession = schemes.includes('session');
        const isValid = isSession
          ? hasSession && headers.cookie === 'sid=s'
          : isKeyValid && headers['x-key'] === 'k';
        if (!isValid) throw rejected('tokenUnknown');
        return { caller: undefined, scopes: new Set<string>(), headers: {} };
      },
    }),
  );
  server.on('request', app);
  return { url: await startListening(server), received };
}
