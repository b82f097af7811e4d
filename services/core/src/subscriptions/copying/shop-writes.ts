/** Writes of a copy: by the functions of every other write, as somebody who may do everything in the shop. */
import type { Row } from '@merx/jsonapi/attributes'
import type { Identifier, WriteRequest } from '@merx/jsonapi/write-request'
import { createRecords } from '../../engine/read/records.ts'
import type { ColumnValues } from '../../engine/sql/column-values.ts'
import { create } from '../../engine/write/create.ts'
import type { ReactionStep } from '../../engine/write/react.ts'
import { remove } from '../../engine/write/remove.ts'
import type { WriteContext } from '../../engine/write/run-write.ts'
import { update } from '../../engine/write/update.ts'

export interface Sent {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly triggers?: Readonly<Record<string, unknown>>
  /** Relationship → type and number. */
  readonly links?: Readonly<Record<string, readonly [type: string, number: number | null]>>
}

const requestOf = (
  { attributes = {}, triggers = {}, links = {} }: Sent,
  { registry }: ReactionStep,
): WriteRequest => ({
  attributes: new Map(
    Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined),
  ),
  triggers: new Map(Object.entries(triggers)),
  toOne: new Map(
    Object.entries(links).flatMap(([name, [type, number]]): readonly [string, Identifier][] =>
      number === null ? [] : [[name, { type, id: registry.ids.encode(type, number), number }]],
    ),
  ),
  toMany: new Map(),
})

const contextOf = ({ run, registry, scope, now, actor, answers }: ReactionStep): WriteContext => {
  const records = createRecords(registry, scope.environmentId)
  return { reading: { run, registry, scope, records, mayRead: () => true }, now, actor, answers }
}

/** `given` are columns that no request can send. Null and undefined attributes, and links to nothing, are left out. */
export const createAsShop = (
  type: string,
  sent: Sent,
  step: ReactionStep,
  given: ColumnValues = {},
): Promise<Row> => create(step.registry.require(type), requestOf(sent, step), contextOf(step), given)

export const updateAsShop = (type: string, row: Row, sent: Sent, step: ReactionStep): Promise<Row> =>
  update(step.registry.require(type), row, requestOf(sent, step), contextOf(step))

export const removeAsShop = (type: string, number: number, step: ReactionStep): Promise<void> =>
  remove(step.registry.require(type), number, contextOf(step))
