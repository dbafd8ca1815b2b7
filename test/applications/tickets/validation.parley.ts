import { contract, rejected } from 'parley-contract-runtime';
import { isAgent } from './agents.js';
import { contract as compiled } from './generated/contract.js';

export const validation = () =>
  contract(compiled, {
    authenticate: async ({ headers }) => {
      if (!isAgent(headers.authorization)) throw rejected('tokenUnknown');
      return { caller: undefined, scopes: new Set(), headers: {} };
    },
  });
