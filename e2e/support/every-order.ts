import { accessToken, connect } from './connect.ts'
import type { Mode } from './demo.ts'
import type { SearchAnswer } from './wire.ts'

/** A range wide enough for all of the demo data. */
export const ALL_TIME = { date_from: '2020-01-01T00:00:00Z', date_to: '2035-12-31T23:59:59Z' } as const

/** Every order the metrics interface shows, by search, page after page. */
export const everyOrder = async (
  fields: readonly string[],
  filter: object = { order: { ...ALL_TIME, date_field: 'placed_at' } },
  options: { readonly mode?: Mode; readonly token?: string } = {},
): Promise<SearchAnswer['data']> => {
  const token = options.token ?? (await accessToken('integration', { mode: options.mode ?? 'test' }))
  const records: SearchAnswer['data'][number][] = []
  let cursor: string | null = null
  do {
    const search = { limit: 100, sort: 'asc', sort_by: 'order.placed_at', fields, cursor }
    const reply = await connect().metrics('orders/search', { search, filter }, { token })
    if (reply.status !== 200) throw new Error(`search: ${reply.status} ${reply.text}`)
    const page: SearchAnswer = reply.json<SearchAnswer>()
    records.push(...page.data)
    cursor = page.meta.pagination.cursor
  } while (cursor !== null)
  return records
}
