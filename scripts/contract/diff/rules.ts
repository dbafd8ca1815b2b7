import type { BreakingChangeRule } from './comparison.ts';
import { callbackUrlChanged } from './rules/callback-url-changed.ts';
import { defaultChanged } from './rules/default-changed.ts';
import { discriminatorChanged } from './rules/discriminator-changed.ts';
import { encodingChanged } from './rules/encoding-changed.ts';
import { eventPayloadReduced } from './rules/event-payload-reduced.ts';
import { oauthFlowChanged } from './rules/oauth-flow-changed.ts';
import { propertyBecameWriteOnly } from './rules/property-became-write-only.ts';
import { propertyOfParameterRemoved } from './rules/property-of-parameter-removed.ts';
import { responseHeaderChanged } from './rules/response-header-changed.ts';
import { responsesRemoved } from './rules/responses-removed.ts';
import { serverRemoved } from './rules/server-removed.ts';
import { serverVariableChanged } from './rules/server-variable-changed.ts';
import { sunsetMovedEarlier } from './rules/sunset-moved-earlier.ts';

export const breakingChangeRules: readonly BreakingChangeRule[] = [
  callbackUrlChanged,
  defaultChanged,
  eventPayloadReduced,
  discriminatorChanged,
  encodingChanged,
  propertyOfParameterRemoved,
  propertyBecameWriteOnly,
  responseHeaderChanged,
  responsesRemoved,
  oauthFlowChanged,
  serverRemoved,
  serverVariableChanged,
  sunsetMovedEarlier,
];
