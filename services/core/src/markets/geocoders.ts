/** Accounts at services that find the place of an address: stored, and not called. Their keys are sealed. */
import type { Attribute } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { toMany } from '@merx/jsonapi/relationships'
import { refuseWhileReferencedBy } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, credential, name } from '../definitions/shapes.ts'
import { attachable, attachableAsFamily, audited } from '../definitions/shared-relationships.ts'

const used = {
  markets: toMany('markets', { inverse: 'geocoder', include: true }),
  addresses: toMany('addresses', { inverse: 'geocoder', include: true }),
}

const KINDS: Readonly<Record<string, Readonly<Record<string, Attribute>>>> = {
  google_geocoders: { api_key: credential() },
  bing_geocoders: { key: credential() },
}

const titleOf = (type: string): string => (type.startsWith('google') ? 'Google' : 'Bing')

export const geocoders: readonly ResourceDefinition[] = [
  defineResource('geocoders', {
    summary: 'All geocoders, whatever their kind.',
    model: 'geocoder',
    operations: ['list', 'retrieve'],
    scope: 'environment',
    abstract: { typeColumn: 'type', members: Object.keys(KINDS) },
    attributes: { name: name({ write: 'never', required: false }) },
    relationships: { ...used, ...attachable, ...audited },
  }),
  ...Object.entries(KINDS).map(([type, attributes]) =>
    defineResource(type, {
      summary: `The account of the shop at the geocoder of ${titleOf(type)}, which Merx stores and does not call.`,
      model: 'geocoder',
      operations: ALL_OPERATIONS,
      scope: 'environment',
      memberOf: 'geocoders',
      attributes: { name: name(), ...attributes },
      relationships: { ...used, ...attachableAsFamily, ...audited },
      onDelete: refuseWhileReferencedBy('markets'),
    }),
  ),
]
