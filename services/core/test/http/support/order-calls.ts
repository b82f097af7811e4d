/** Requests about orders and their lines, and what their answers say. */
import { decodeId, encodeId } from '@merx/jsonapi/fixtures/ids'
import { errorsOf, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'

export type Body = Readonly<Record<string, unknown>>
export type Response = Awaited<ReturnType<TestCore['send']>>

/** Linkage to a row by its number. */
export const one = (type: string, number: number) => ({ data: { type, id: encodeId(type, number) } })
export const linkTo = (type: string, id: string) => ({ data: { type, id } })

export const attributesOf = (response: Response) => singleOf(response).data.attributes

/** Status, pointer and machine key of every error. */
export const at = (response: Response) =>
  errorsOf(response).map(({ status, source, meta }) => [status, source?.pointer, meta?.['error']])

/** `core` is asked for at each call, because suites open it before their tests. */
export const orderCalls = (core: () => TestCore) => {
  const begin = async (token: string, attributes: Body = {}, relationships: Body = {}): Promise<string> =>
    singleOf(
      await core().send('POST', '/api/orders', token, {
        data: { type: 'orders', attributes, relationships },
      }),
    ).data.id
  return {
    begin,
    /** Of the market eu. */
    draft: (attributes: Body = {}) => begin(core().tokens.admin, attributes, { market: one('markets', 1) }),
    add: (token: string, order: string, attributes: Body, relationships: Body = {}, query = '') =>
      core().send('POST', `/api/line_items${query}`, token, {
        data: {
          type: 'line_items',
          attributes,
          relationships: { order: linkTo('orders', order), ...relationships },
        },
      }),
    change: (token: string, id: string, attributes: Body) =>
      core().send('PATCH', `/api/line_items/${id}`, token, { data: { type: 'line_items', id, attributes } }),
    changeOrder: (id: string, attributes: Body, relationships: Body = {}) =>
      core().send('PATCH', `/api/orders/${id}`, core().tokens.admin, {
        data: { type: 'orders', id, attributes, relationships },
      }),
    remove: (token: string, id: string) => core().send('DELETE', `/api/line_items/${id}`, token),
    orderOf: async (id: string, token = core().tokens.admin) =>
      attributesOf(await core().get(`/api/orders/${id}`, token)),
    /** What no request can do. */
    setOrder: (id: string, columns: string) =>
      core().pool.query(`UPDATE orders SET ${columns} WHERE id = $1`, [decodeId('orders', id)]),
  }
}
