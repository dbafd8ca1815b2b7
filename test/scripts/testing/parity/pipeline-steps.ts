import type { Patch } from '../../../../scripts/lib/project-copy.ts';

/** The steps of the pipeline, each with a patch that disables it. */
export const pipelineSteps: Record<string, Patch> = {
  'the path decides': {
    file: 'server/pipeline/router.ts',
    from: "const pathNotFound: RouteMatch = { error: new PipelineError('pathNotFound') };",
    to: "const pathNotFound: RouteMatch = { error: new PipelineError('notFound') };",
  },
  'the method decides': {
    file: 'server/pipeline/router.ts',
    from: 'const match = found.value.byMethod.get(method);',
    to: 'const match = found.value.byMethod.get(method) ?? [...found.value.byMethod.values()][0];',
  },
  'the token is checked': {
    file: 'scripts/contract/mock/authenticate.ts',
    from: "    if (!opened) throw new PipelineError('tokenUnknown', why);",
    to: "    if (!opened) return { caller: 'mock', scopes, headers: {} };",
  },
  'a token is needed': {
    file: 'server/pipeline/accept-request.ts',
    from: 'await admit(security, credentialsOf(state, source.addressOf(state, addressOf)), state, options)',
    to: 'await (req.headers.authorization === undefined ? { scopes: new Set(security.flatMap((s) => Object.values(s).flat())), caller: undefined as never, headers: {} } : admit(security, credentialsOf(state, source.addressOf(state, addressOf)), state, options))',
  },
  'the scope is checked': {
    file: 'server/pipeline/accept-request.ts',
    from: '  authorize(security, admission?.scopes ?? new Set());',
    to: '  void authorize;',
  },
  'the URL is decoded': {
    file: 'server/pipeline/accept-request.ts',
    from: "  assertDecodableUrl(req.url ?? '/');",
    to: '  void assertDecodableUrl;',
  },
  'the media type is checked': {
    file: 'server/pipeline/parse-body.ts',
    from: 'const found = sent && documentedType(requestTypes, sent);',
    to: 'const found: string | undefined = (sent && documentedType(requestTypes, sent)) || requestTypes[0];',
  },
  'the content coding is checked': {
    file: 'server/pipeline/parse-body.ts',
    from: "if (coding !== undefined && coding.toLowerCase() !== 'identity')",
    to: 'if (coding === null)',
  },
  'the size of the body is checked': {
    file: 'server/pipeline/accept-request.ts',
    from: 'bodyLimit = 1_048_576',
    to: 'bodyLimit = 100_048_576',
  },
  'the body is parsed': {
    file: 'server/pipeline/parse-body.ts',
    from: "    throw new PipelineError('malformedRequest', {",
    to: "    if (format === 'json') return { mediaType, body: {} };\n    throw new PipelineError('malformedRequest', {",
  },
  'query parameters are parsed': {
    file: 'server/pipeline/validate-request.ts',
    from: '    ...removeUnparsableParameters(operation.parameterGroups.query, parts.query),\n',
    to: '',
  },
  'path parameters are parsed': {
    file: 'server/pipeline/validate-request.ts',
    from: '    ...removeUnparsableParameters(operation.parameterGroups.path, parts.params),\n',
    to: '',
  },
  'a missing body is reported': {
    file: 'server/pipeline/validate-request.ts',
    from: '  if (operation.bodyRequired && mediaType === undefined)',
    to: '  if (operation.bodyRequired && mediaType === null)',
  },
  'the schemas validate the request': {
    file: 'server/pipeline/validate-request.ts',
    from: 'withinLimits(() => violationsOf(operation, parts, mediaType, url));',
    to: 'withinLimits(() => violationsOf(operation, parts, mediaType, url).slice(0, 0));',
  },
  'strings are valid text': {
    file: 'server/pipeline/validate-request.ts',
    from: '    ...findInvalidText(parts.body).map',
    to: '    ...findInvalidText(undefined).map',
  },
  'the rules check the request': {
    file: 'server/pipeline/accept-request.ts',
    from: '  const problems = ownOf(checks, operation.id)?.(input) ?? [];',
    to: '  const problems = checks.none?.(input) ?? [];',
  },
  'duplicate headers are rejected': {
    file: 'server/pipeline/validate-request.ts',
    from: '    ...duplicateHeaders(operation, req, parts.headers),\n',
    to: '',
  },
  'parameters are valid text': {
    file: 'server/pipeline/validate-request.ts',
    from: '    ...findInvalidText(parts.query).map',
    to: '    ...findInvalidText(undefined).map',
  },
};
