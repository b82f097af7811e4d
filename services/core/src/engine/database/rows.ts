/**
 * The types of rows, from the models that Prisma generates: `RowOf<'Order'>` has the columns of the model's table, as the
 * pool returns them (docs/adr/0075-typed-rows.md). test/db/engine/row-types.test.ts compares them with what it returns.
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { Prisma } from './generated/client.ts'

type Models = Prisma.TypeMap['model']

/** int8 arrives as number, numeric as text, jsonb as what it holds. */
type Returned<Value> = Value extends bigint
  ? number
  : Value extends Prisma.Decimal
    ? string
    : Value extends Prisma.JsonObject | Prisma.JsonArray
      ? unknown
      : Value

type Columns<Values> = { readonly [Column in keyof Values]: Returned<Values[Column]> }

/** @example RowOf<'Order'>, Pick<RowOf<'Export'>, 'id' | 'status'> */
export type RowOf<Model extends keyof Models> = Columns<Models[Model]['payload']['scalars']>

/** A row that was read from the table of the model. Whole rows only: for one that is being written use `columnsOf`. */
export const rowOf = <Model extends keyof Models>(_model: Model, row: Row): RowOf<Model> =>
  row as RowOf<Model>

/** The columns that are set so far of a row of the model. */
export const columnsOf = <Model extends keyof Models>(_model: Model, row: Row): Partial<RowOf<Model>> =>
  row as Partial<RowOf<Model>>
