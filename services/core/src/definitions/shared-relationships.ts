/** Relationships and triggers that many resources have in the same shape. */
import { trigger } from '@merx/jsonapi/attributes'
import type { Attribute } from '@merx/jsonapi/attributes'
import { toMany, toOne } from '@merx/jsonapi/relationships'
import type { Relationship } from '@merx/jsonapi/relationships'
import type { Action } from '@merx/jsonapi/rules'

/** What was written to the record, cursor by cursor; too long to be included. */
const eventStores = toMany('event_stores', { virtual: 'log_of_record' })

/** The history that only its own address shows. */
export const audited = { event_stores: eventStores } as const

/** The history of a record: who changed what. */
export const versioned = {
  versions: toMany('versions', { virtual: 'log_of_record', include: true }),
  ...audited,
} as const

/** What happened to a record, by name. */
export const observed = {
  events: toMany('events', { virtual: 'log_of_record', include: true, filter: true }),
} as const

/** Of a type that `attachments.attachable` lists. */
export const attachable = {
  attachments: toMany('attachments', { inverse: 'attachable', include: true, filter: true }),
} as const

/** Of a type whose abstract type `attachments.attachable` lists: a file is attached to the record as that one. */
export const attachableAsFamily = {
  attachments: toMany('attachments', { virtual: 'attachments_of_family', include: true, filter: true }),
} as const

/** Whom and where the token is for, on types whose rules may ask for it. */
export const tokenBound = {
  jwt_customer: toOne('customers', { virtual: 'customer_of_token', include: true }),
  jwt_markets: toMany('markets', { virtual: 'markets_of_token', include: true }),
  jwt_stock_locations: toMany('stock_locations', { virtual: 'stock_locations_of_token', include: true }),
} as const satisfies Readonly<Record<string, Relationship>>

/** The tags of a type with a column in taggings; `column` names it. Sales channels never tag. */
export const tagged = (column: string) =>
  ({
    tags: toMany('tags', {
      through: { table: 'taggings', from: column, to: 'tag_id' },
      write: 'always',
      include: true,
      filter: true,
      prohibited: true,
    }),
  }) as const

/** Comma lists of tag names, added first and removed after; store/write-tags.ts does it. */
export const tagTriggers = {
  _add_tags: trigger({ carries: 'text', prohibited: true, action: 'tag' }),
  _remove_tags: trigger({ carries: 'text', prohibited: true, action: 'tag' }),
} as const satisfies Readonly<Record<string, Attribute>>

/** Tagging changes no column. */
export const tagAction = { tag: () => ({}) } as const satisfies Readonly<Record<string, Action>>
