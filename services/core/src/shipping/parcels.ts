import { boolean, float, instant, list, oneOf, text } from '@merx/jsonapi/attributes'
import type { AttributeOptions } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import type { Rule, WriteViolation } from '@merx/jsonapi/rules'
import { ALL_OPERATIONS, UNITS_OF_WEIGHT, url } from '../definitions/shapes.ts'
import { attachable, observed, versioned } from '../definitions/shared-relationships.ts'
import { numberOfParcel } from './parcel-number.ts'

const line = (options: AttributeOptions = {}) => text({ write: 'always', max: 255, ...options })

const RESTRICTIONS = ['none', 'other', 'quarantine', 'sanitary_phytosanitary_inspection'] as const

const LABEL_FILE_TYPES = ['application/pdf', 'application/zpl', 'application/epl2', 'image/png'] as const

const TRACKING_DETAILS_MAX = 500

/** Kinds that say nothing by themselves need words. */
const explained: Rule = ({ after }) => {
  const missing = (attribute: string, kind: string): readonly WriteViolation[] =>
    after[kind] === 'other' && (after[attribute] ?? '') === ''
      ? [{ at: { attribute }, error: 'blank', message: `can't be blank while ${kind} is other` }]
      : []
  const violations = [
    ...missing('contents_explanation', 'contents_type'),
    ...missing('restriction_comments', 'restriction_type'),
  ]
  return violations.length === 0 ? {} : { violations }
}

/** One package of a shipment, with its label and what its carrier says of it. */
export const parcels = defineResource('parcels', {
  summary: 'One package of a shipment, with its label and tracking.',
  model: 'parcel',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    number: text(),
    weight: float({ write: 'always', required: true, min: 0, filter: true, sort: true }),
    unit_of_weight: oneOf(UNITS_OF_WEIGHT, { write: 'always', required: true }),
    eel_pfc: oneOf(['EEL', 'PFC'], { write: 'always' }),
    contents_type: line(),
    contents_explanation: line({ filter: true }),
    customs_certify: boolean({ write: 'always' }),
    customs_signer: line(),
    non_delivery_option: oneOf(['return', 'abandon'], { write: 'always' }),
    restriction_type: oneOf(RESTRICTIONS, { write: 'always' }),
    restriction_comments: line(),
    customs_info_required: boolean({ write: 'always', default: false }),
    shipping_label_url: url({ filter: true }),
    shipping_label_file_type: oneOf(LABEL_FILE_TYPES, { write: 'always', filter: true }),
    shipping_label_size: line({ filter: true }),
    shipping_label_resolution: line({ filter: true }),
    tracking_number: line({ filter: true }),
    tracking_status: line({ filter: true, sort: true }),
    tracking_status_detail: line({ filter: true }),
    tracking_status_updated_at: instant({ write: 'always', filter: true, sort: true }),
    tracking_details: list({ write: 'always', max: TRACKING_DETAILS_MAX }),
    carrier_weight_oz: line({ filter: true, sort: true }),
    signed_by: line(),
    incoterm: line({ filter: true }),
    delivery_confirmation: line({ filter: true }),
  },
  relationships: {
    shipment: toOne('shipments', {
      write: 'always',
      required: true,
      include: true,
      filter: true,
      sort: true,
    }),
    package: toOne('packages', { write: 'always', required: true, include: true, filter: true, sort: true }),
    parcel_line_items: toMany('parcel_line_items', { inverse: 'parcel', include: true, filter: true }),
    ...attachable,
    ...observed,
    ...versioned,
  },
  rules: [explained, numberOfParcel],
})
