import type { Completion } from './comparison.ts';
import { callbackAddressChanged } from './completions/callback-address-changed.ts';
import { defaultChanged } from './completions/default-changed.ts';
import { deliveryBodyBecameOptional } from './completions/delivery-body-became-optional.ts';
import { discriminatorChanged } from './completions/discriminator-changed.ts';
import { encodingChanged } from './completions/encoding-changed.ts';
import { propertyBecameReadOnly } from './completions/property-became-read-only.ts';
import { propertyBecameWriteOnly } from './completions/property-became-write-only.ts';
import { requiredBodyAdded } from './completions/required-body-added.ts';
import { responseHeaderBecameOptional } from './completions/response-header-became-optional.ts';
import { securityFlowChanged } from './completions/security-flow-changed.ts';
import { serverVariableChanged } from './completions/server-variable-changed.ts';

export const completions: readonly Completion[] = [
  callbackAddressChanged,
  defaultChanged,
  deliveryBodyBecameOptional,
  discriminatorChanged,
  encodingChanged,
  propertyBecameReadOnly,
  propertyBecameWriteOnly,
  requiredBodyAdded,
  responseHeaderBecameOptional,
  securityFlowChanged,
  serverVariableChanged,
];
