const OpenApiValidator = require('express-openapi-validator');
const { isKey } = require('./keys.js');

exports.validation = OpenApiValidator.middleware({
  apiSpec: './openapi.yaml',
  validateResponses: false,
  validateSecurity: { handlers: { key: (req) => isKey(req.query.api_key) } },
});
