/** A search of a year, and an engine that answers its statements with as many records as a test says. */
import type { Attribute, Resource } from '../../src/catalogue/attribute.ts'
import { loadCatalogue } from '../../src/catalogue/load-catalogue.ts'
import type { CountedRows, Row } from '../../src/engine/engine.ts'
import type { SearchPlan } from '../../src/plan/plan.ts'
import type { Statement } from '../../src/sql/statement.ts'

const found = loadCatalogue().get('orders')
if (found === undefined) throw new Error('no orders')
export const orders: Resource = found
export const attribute = (path: string): Attribute => {
  const attribute = orders.attributes.get(path)
  if (attribute === undefined) throw new Error(`no ${path}`)
  return attribute
}

export const HOUR_MS = 3_600_000
export const FROM = Date.UTC(2022, 0, 1)
export const TO = Date.UTC(2022, 11, 31)
export const range = { attribute: attribute('order.current_date'), from: new Date(FROM), to: new Date(TO) }
export const plan: SearchPlan = {
  kind: 'search',
  reach: {
    table: orders.table,
    environment: { organizationId: 'orgAAAAAAA', mode: 'test' },
    range,
    predicates: [],
  },
  fields: [attribute('order.id')],
  order: [
    { attribute: range.attribute, direction: 'desc' },
    { attribute: attribute('order.id'), direction: 'desc' },
  ],
  limit: 9,
}

/** Answers the count with `bounds`, each of the others with so many rows. */
export const engineOf = (bounds: Row | undefined, found: readonly number[]) => {
  const asked: Statement[] = []
  const pages: Statement[] = []
  const limits: unknown[] = []
  let current: readonly Row[] = []
  const answers = found.map((count) => Array<Row>(count).fill({ id: 'x' }))
  const run = async (statement: Statement): Promise<readonly Row[]> => {
    asked.push(statement)
    if (statement.text.startsWith('SELECT count()') && bounds !== undefined) return [bounds]
    if (statement.text.includes('`created_at` IN')) {
      limits.push(statement.params.p0)
      return current
    }
    pages.push(statement)
    const rows = answers.shift()
    if (rows === undefined) throw new Error('one statement more than expected')
    current = rows
    return rows
  }
  const count = async (statement: Statement): Promise<CountedRows> => {
    asked.push(statement)
    return { rows: [{ shown_id: 'x' }], total: 1_000 }
  }
  return { run: { run, count, rows: undefined }, asked, pages, limits }
}

export const bounds = (total: number, dated = total): Row => ({
  total: String(total),
  dated: String(dated),
  earliest: String(TO - total * HOUR_MS),
  latest: String(TO),
})

/** The window of a statement: its conditions on the sort date beyond those of the date range. */
export const windowOf = ({ text, params }: Statement): readonly string[] =>
  [...text.matchAll(/(\(isNull\(`current_date`\) OR )?`current_date` ([<>]=?) \{(p\d+):DateTime64/g)]
    .map(
      ([, open, sign = '', name = '']) =>
        `${open === undefined ? '' : '(isNull) '}${sign} ${String(params[name])}`,
    )
    .filter(
      (condition) => !condition.includes('2022-01-01 00:00:00.000') && !condition.startsWith('<= 2022-12-31'),
    )
