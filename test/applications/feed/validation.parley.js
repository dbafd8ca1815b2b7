const { contract, rejected } = require('parley-contract-runtime');
const { contract: compiled } = require('./generated/contract.cjs');
const { isKey } = require('./keys.js');

exports.validation = contract(compiled, {
  onInvalidResponse: process.env.RESPONSES || 'off',
  authenticate: async (_credentials, req) => {
    if (!isKey(req.query.api_key)) throw rejected('tokenUnknown');
    return { scopes: new Set(), headers: {} };
  },
});
