import { middleware } from 'express-openapi-validator';

export const validation = () =>
  middleware({
    apiSpec: './openapi.yaml',
    validateResponses: true,
    validateSecurity: { handlers: { session: (req) => Boolean(req.session.user) } },
  });
