/**
 * What a system answers about its data: counts and some records of every type, and what metrics sums up. Uses the system whose data
 * folder is in MERX_DATA_DIR, as all of e2e/support does.
 */
import { accessToken, connect } from '../support/connect.ts'
import { demo, type Mode } from '../support/demo.ts'
import { ALL_TIME } from '../support/every-order.ts'
import type { CollectionDocument, ResourceObject } from '../support/wire.ts'

const RECORDS = 25

interface Listed {
  readonly count: number
  /** The first ones by id and the last ones. */
  readonly records: readonly ResourceObject[]
}

/** By a name that says who asked for what. */
export interface Answers {
  readonly lists: Readonly<Record<string, Listed>>
  readonly metrics: Readonly<Record<string, unknown>>
}

interface Shop {
  readonly organization: number
  readonly mode: Mode
}

const SHOPS: readonly Shop[] = [
  { organization: 0, mode: 'test' },
  { organization: 0, mode: 'live' },
  { organization: 1, mode: 'test' },
]

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** The collections that the system says it has. */
export const listTypes = async (): Promise<readonly string[]> => {
  const reply = await connect().core('openapi.json', { token: await accessToken('integration') })
  const { paths } = reply.json<OpenApi>()
  return Object.entries(paths)
    .filter(([path, methods]) => /^(\/api)?\/[a-z_]+$/.test(path) && 'get' in methods)
    .map(([path]) => path.slice(path.lastIndexOf('/') + 1))
    .toSorted()
}

const readList = async (token: string, type: string): Promise<Listed | undefined> => {
  const page = async (sort: string): Promise<CollectionDocument | undefined> => {
    const query = { sort, 'page[size]': RECORDS }
    const reply = await connect().core(type, { token, query })
    return reply.status === 200 ? reply.json<CollectionDocument>() : undefined
  }
  const [first, last] = [await page('id'), await page('-id')]
  if (first === undefined || last === undefined) return undefined
  return { count: first.meta.record_count, records: [...first.data, ...last.data] }
}

const filterOf = (resource: string): object =>
  resource === 'returns'
    ? { return: { ...ALL_TIME, date_field: 'created_at' } }
    : { order: { ...ALL_TIME, date_field: 'created_at' } }

const QUESTIONS: readonly { readonly path: string; readonly query: object }[] = [
  ...['order.total_amount_with_taxes', 'order.subtotal_amount', 'order.discount_amount'].flatMap((field) => [
    { path: 'orders/stats', query: { stats: { field, operator: 'stats' } } },
    { path: 'carts/stats', query: { stats: { field, operator: 'stats' } } },
  ]),
  ...['order.currency_code', 'order.country_code', 'order.status', 'order.payment_status', 'market.name'].map(
    (by) => ({
      path: 'orders/breakdown',
      query: {
        breakdown: { by, field: 'order.total_amount_with_taxes', operator: 'sum', sort: 'desc', limit: 100 },
      },
    }),
  ),
  {
    path: 'orders/breakdown',
    query: {
      breakdown: {
        by: 'line_items.code',
        field: 'line_items.quantity',
        operator: 'sum',
        sort: 'desc',
        limit: 100,
      },
    },
  },
  {
    path: 'orders/date_breakdown',
    query: {
      date_breakdown: {
        by: 'order.placed_at',
        field: 'order.total_amount_with_taxes',
        operator: 'sum',
        interval: 'month',
      },
    },
  },
  { path: 'returns/stats', query: { stats: { field: 'return.id', operator: 'value_count' } } },
  {
    path: 'orders/search',
    query: {
      search: {
        fields: ['order.id', 'order.number', 'order.total_amount_with_taxes', 'customer.email'],
        limit: 100,
        sort: 'asc',
        sort_by: 'order.created_at',
      },
    },
  },
]

const readMetrics = async (token: string): Promise<Readonly<Record<string, unknown>>> => {
  const answers: Record<string, unknown> = {}
  for (const { path, query } of QUESTIONS) {
    const filter = filterOf(path.split('/')[0] ?? '')
    const reply = await connect().metrics(path, { ...query, filter }, { token })
    const { data } = reply.json<{ readonly data?: unknown }>()
    answers[`${path} ${JSON.stringify(query)}`] = reply.status === 200 ? data : reply.text
  }
  return answers
}

/** @param types which are asked for; those that refuse are left out. */
export const readAnswers = async (types: readonly string[]): Promise<Answers> => {
  const lists: Record<string, Listed> = {}
  const metrics: Record<string, unknown> = {}
  for (const shop of SHOPS) {
    const token = await accessToken('integration', shop)
    const name = `${demo().organizations[shop.organization]?.slug ?? ''} ${shop.mode}`
    for (const type of types) {
      const listed = await readList(token, type)
      if (listed !== undefined) lists[`${name} ${type}`] = listed
    }
    for (const [question, answer] of Object.entries(await readMetrics(token)))
      metrics[`${name} ${question}`] = answer
  }
  return { lists, metrics }
}

const textOf = (value: unknown): string => JSON.stringify(value) ?? 'nothing'

/** One sentence an attribute, whatever number of records it is of. */
const compareRecords = (
  name: string,
  before: readonly ResourceObject[],
  after: readonly ResourceObject[],
): readonly string[] => {
  const changes = before.flatMap((record, index) => {
    const now = after[index]
    if (now?.id !== record.id) return [{ attribute: 'id', was: record.id, is: now?.id }]
    return Object.entries(record.attributes)
      .map(([attribute, was]) => ({ attribute, was, is: now.attributes[attribute] }))
      .filter(({ was, is }) => textOf(was) !== textOf(is))
  })
  return [...Map.groupBy(changes, ({ attribute }) => attribute)].map(
    ([attribute, [first, ...others]]) =>
      `${name}: ${attribute} of ${others.length + 1} records is another one, such as ${textOf(first?.is)} and not ${textOf(first?.was)}`,
  )
}

/** A sentence for each answer that is not as it was; what was added counts as nothing. Pure. */
export const compareAnswers = (before: Answers, after: Answers): readonly string[] => [
  ...Object.entries(before.lists).flatMap(([name, { count, records }]) => {
    const now = after.lists[name]
    if (now === undefined) return [`${name} is refused`]
    if (now.count !== count) return [`${name}: there were ${count} and are ${now.count}`]
    return compareRecords(name, records, now.records)
  }),
  ...Object.entries(before.metrics)
    .filter(([question, answer]) => textOf(after.metrics[question]) !== textOf(answer))
    .map(
      ([question, answer]) =>
        `metrics, ${question}: was ${textOf(answer).slice(0, 200)} and is ${textOf(after.metrics[question]).slice(0, 200)}`,
    ),
]
