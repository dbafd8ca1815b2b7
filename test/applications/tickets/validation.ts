import { middleware } from 'express-openapi-validator';
import { isAgent } from './agents.js';

export const validation = () =>
  middleware({
    apiSpec: './openapi.yaml',
    validateResponses: true,
    validateSecurity: { handlers: { basic: (req) => isAgent(req.headers.authorization) } },
  });
