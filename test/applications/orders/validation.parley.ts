import type { Request } from 'express';
import { contract, rejected } from 'parley-contract-runtime';
import { contract as compiled } from './generated/contract.cjs';

export const validation = () =>
  contract(compiled, {
    authenticate: async (_credentials, req: Request) => {
      if (!req.session.user) throw rejected('tokenUnknown');
      return { caller: req.session.user, scopes: new Set(), headers: {} };
    },
  });
