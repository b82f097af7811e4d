import { integer, list, oneOf, trigger } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, CIRCUIT_STATES, name, url } from '../definitions/shapes.ts'
import { attachableAsFamily, observed, versioned } from '../definitions/shared-relationships.ts'
import { regenerable, sharedSecret } from '../definitions/shared-secret.ts'
import { calledAddresses } from '../outside/called-addresses.ts'
import { resetCircuit } from '../outside/circuit.ts'
import { externalIncludes } from '../outside/external-includes.ts'

/** A tax calculator of the shop's own, reached by its address (external.ts). */
export const externalTaxCalculators = defineResource('external_tax_calculators', {
  summary: "A tax calculator of the shop's own, reached by its address.",
  model: 'taxCalculator',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  memberOf: 'tax_calculators',
  attributes: {
    name: name(),
    tax_calculator_url: url({ required: true }),
    circuit_state: oneOf(CIRCUIT_STATES, { filter: true, sort: true }),
    circuit_failure_count: integer({ filter: true, sort: true }),
    shared_secret: sharedSecret(),
    external_includes: list({ write: 'always', max: 50, default: [] }),
    _reset_circuit: trigger({ prohibited: true }),
    _regenerate_shared_secret: trigger(),
  },
  relationships: {
    markets: toMany('markets', { inverse: 'tax_calculator', include: true }),
    ...attachableAsFamily,
    ...observed,
    ...versioned,
  },
  actions: { reset_circuit: resetCircuit, ...regenerable },
  rules: [calledAddresses('tax_calculator_url'), externalIncludes('orders')],
  onDelete: refuseWhileReferencedBy('markets'),
})
