import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import express from 'express';
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { contract, rejected } from '../../../../scripts/runtime-package/express.ts';
import { startListening } from '../../../support/start-listening.ts';
import { boardsContract } from './boards-contract.ts';

/** The faults and properties that the boards' server can have. Without them, it conforms. */
export type BoardsFault =
  /** The key that `rotateKey` replaces stops working. */
  | 'ends the key at a rotation'
  /** Any request for a card ends the key. */
  | 'ends the key when a card is read'
  /** The service ends, and its connections break, while it processes such a request. */
  | 'crashes when a card is changed'
  /** The service ends after the response. */
  | 'stops when asked to'
  /** Every seventh request for boards gets 429, without Retry-After. */
  | 'limits without Retry-After'
  /** The same with Retry-After. */
  | 'limits'
  /** Cards are stored with other points than those that the create returned. */
  | 'stores other points'
  /** A missing board gets 404 for every method. */
  | 'looks up before it checks the method';

interface Card {
  id: string;
  title: string;
  points?: number;
}
interface Column {
  id: string;
  name: string;
  cards: Map<string, Card>;
}
interface Board {
  id: string;
  name: string;
  columns: Map<string, Column>;
}
interface Input {
  path: Record<string, string>;
  headers: Record<string, string>;
  body: { name: string; title: string; points?: number };
}

const missing = { status: 404, body: { title: 'It does not exist.' } };
const etagOf = (card: Card) =>
  `"${createHash('sha1').update(JSON.stringify(card)).digest('hex').slice(0, 8)}"`;

/**
 * Starts a server for the boards' contract, on the public middleware.
 * @returns its URL, and the methods and paths of the requests that it received
 */
export async function startBoards(...faults: BoardsFault[]): Promise<{ url: string; received: string[] }> {
  const is = (fault: BoardsFault) => faults.includes(fault);
  const tenants = new Map<string, Map<string, Board>>();
  const received: string[] = [];
  let isKeyValid = true;
  const boardsOf = ({ headers }: Input) => {
    const tenant = headers['x-tenant'] ?? '';
    const boards = tenants.get(tenant) ?? new Map<string, Board>();
    tenants.set(tenant, boards);
    return boards;
  };
  const boardOf = (input: Input) => boardsOf(input).get(input.path.boardId ?? '');
  const columnOf = (input: Input) => boardOf(input)?.columns.get(input.path.columnId ?? '');
  const cardOf = (input: Input) => columnOf(input)?.cards.get(input.path.cardId ?? '');
  const newId = () => randomUUID().slice(0, 8);
  const shown = (board: Board) => ({ id: board.id, name: board.name });

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
    stop: async () => {
      if (is('stops when asked to')) setImmediate(() => setImmediate(end));
      return { status: 204 };
    },
    listBoards: async (input: Input) => ({ status: 200, body: [...boardsOf(input).values()].map(shown) }),
    addBoard: async (input: Input) => {
      const board = { id: newId(), name: input.body.name, columns: new Map() };
      boardsOf(input).set(board.id, board);
      return { status: 201, body: shown(board) };
    },
    removeBoards: async (input: Input) => {
      boardsOf(input).clear();
      return { status: 204 };
    },
    getBoard: async (input: Input) => {
      const board = boardOf(input);
      return board ? { status: 200, body: shown(board) } : missing;
    },
    addColumn: async (input: Input) => {
      const board = boardOf(input);
      if (!board) return missing;
      const column = { id: newId(), name: input.body.name, cards: new Map() };
      board.columns.set(column.id, column);
      return { status: 201, body: { id: column.id, name: column.name } };
    },
    addCard: async (input: Input) => {
      const column = columnOf(input);
      if (!column) return missing;
      const { title, points } = input.body;
      const card = { id: newId(), title, ...(points === undefined ? {} : { points }) };
      column.cards.set(card.id, is('stores other points') ? { ...card, points: 1 } : card);
      return { status: 201, body: card };
    },
    getCard: async (input: Input) => {
      if (is('ends the key when a card is read')) isKeyValid = false;
      const card = cardOf(input);
      return card ? { status: 200, headers: { ETag: etagOf(card) }, body: card } : missing;
    },
    changeCard: async (input: Input) => {
      const card = cardOf(input);
      if (!card) return missing;
      if (input.headers['if-match'] !== etagOf(card)) return { status: 412, body: { title: 'It changed.' } };
      const { title, points } = input.body;
      const changed = { id: card.id, title, ...(points === undefined ? {} : { points }) };
      columnOf(input)?.cards.set(card.id, changed);
      return { status: 200, body: changed };
    },
    removeCard: async (input: Input) =>
      columnOf(input)?.cards.delete(input.path.cardId ?? '') ? { status: 204 } : missing,
  };

  const app = express();
  app.use((req, res, next) => {
    received.push(`${req.method} ${req.path}`);
    const limits = is('limits') || is('limits without Retry-After');
    const problem = (status: number) =>
      res
        .status(status)
        .type('application/problem+json')
        .send(JSON.stringify({ title: 'No.' }));
    if (limits && req.path === '/boards' && received.length % 7 === 0) {
      if (is('limits')) res.set('Retry-After', '0');
      problem(429);
      return;
    }
    if (is('crashes when a card is changed') && req.method === 'PUT') {
      end();
      return;
    }
    if (is('looks up before it checks the method') && /^\/boards\/[^/]+$/.test(req.path)) {
      const exists = [...tenants.values()].some((boards) => boards.has(req.path.slice(8)));
      if (!exists && req.method !== 'GET') {
        problem(404);
        return;
      }
    }
    next();
  });
  app.use(
    contract(compileContract(boardsContract), {
      handlers,
      authenticate: async ({ headers }: { headers: Record<string, unknown> }) => {
        if (!isKeyValid || headers['x-key'] !== 'k') throw rejected('tokenUnknown');
        return { caller: undefined, scopes: new Set<string>(), headers: {} };
      },
    }),
  );
  server.on('request', app);
  return { url: await startListening(server), received };
}
