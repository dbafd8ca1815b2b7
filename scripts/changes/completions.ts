import type { Completion } from './comparison.ts';
import { callbackAddressChanged } from './completions/callback-address-changed.ts';
import { defaultChanged } from './completions/default-changed.ts';
import { deliveryLostSomething } from './completions/delivery-lost-something.ts';
import { discriminatorChanged } from './completions/discriminator-changed.ts';
import { encodingChanged } from './completions/encoding-changed.ts';
import { propertyBecameReadOnly } from './completions/property-became-read-only.ts';
import { propertyBecameWriteOnly } from './completions/property-became-write-only.ts';
import { requiredBodyAdded } from './completions/required-body-added.ts';
import { responseHeaderBecameOptional } from './completions/response-header-became-optional.ts';
import { responseHeaderSerializationChanged } from './completions/response-header-serialization-changed.ts';
import { responsesRemoved } from './completions/responses-removed.ts';
import { securityFlowChanged } from './completions/security-flow-changed.ts';
import { serverVariableChanged } from './completions/server-variable-changed.ts';
import { serversOverridden } from './completions/servers-overridden.ts';
import { sunsetMovedEarlier } from './completions/sunset-moved-earlier.ts';

export const completions: readonly Completion[] = [
  callbackAddressChanged,
  defaultChanged,
  deliveryLostSomething,
  discriminatorChanged,
  encodingChanged,
  propertyBecameReadOnly,
  propertyBecameWriteOnly,
  requiredBodyAdded,
  responseHeaderBecameOptional,
  responseHeaderSerializationChanged,
  responsesRemoved,
  securityFlowChanged,
  serverVariableChanged,
  serversOverridden,
  sunsetMovedEarlier,
];
