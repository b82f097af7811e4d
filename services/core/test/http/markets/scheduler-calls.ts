/** A sale list of the market eu, schedulers of it, and time that jumps. */
import { encodeId } from '@merx/jsonapi/fixtures/ids'
import { switchPriceLists } from '../../../src/markets/switch-price-lists.ts'
import { listOf, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { linkTo, one } from '../support/order-calls.ts'
import type { Body } from '../support/order-calls.ts'
import { runNow } from '../support/run-now.ts'

/** Of the market eu the first SKU costs 50, the second 40; in the sale list the first costs 30. */
export const BASE = 1
export const SALE = 500
export const OTHER_SALE = 501
const DOLLARS = 2

export const schedulerCalls = (core: () => TestCore, jumpTo: (text: string) => void) => {
  const id = (list: number): string => encodeId('price_lists', list)
  const send = (
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    attributes: Body,
    relationships: Body = {},
  ) => {
    const [type = '', number] = path.split('/')
    const data = { type, ...(number === undefined ? {} : { id: number }), attributes, relationships }
    return core().send(
      method,
      `/api/${path}`,
      core().tokens.admin,
      method === 'DELETE' ? undefined : { data },
    )
  }
  const create = (starts: string, expires: string, list = SALE, attributes: Body = {}, market = 1) =>
    send(
      'POST',
      'price_list_schedulers',
      { name: 'Sale', starts_at: starts, expires_at: expires, ...attributes },
      { market: one('markets', market), price_list: one('price_lists', list) },
    )
  return {
    create,
    scheduled: async (...args: Parameters<typeof create>): Promise<string> =>
      singleOf(await create(...args)).data.id,
    change: (scheduler: string, attributes: Body, relationships: Body = {}) =>
      send('PATCH', `price_list_schedulers/${scheduler}`, attributes, relationships),
    remove: (scheduler: string) => send('DELETE', `price_list_schedulers/${scheduler}`, {}),
    changeMarket: (relationships: Body, market = 1) =>
      send('PATCH', `markets/${encodeId('markets', market)}`, {}, relationships),
    changeList: (list: number, attributes: Body) => send('PATCH', `price_lists/${id(list)}`, attributes),
    /** The minute's sweep at this time. */
    sweepAt: async (text: string): Promise<void> => {
      jumpTo(text)
      await runNow(core(), switchPriceLists)
    },
    /** The numbers of the list in force and of the base list. */
    listsOf: async (market = 1): Promise<readonly [number | undefined, number | undefined]> => {
      const path = `/api/markets/${encodeId('markets', market)}?include=price_list,base_price_list`
      const { relationships } = singleOf(await core().get(path, core().tokens.admin)).data
      const numberOf = (name: string) =>
        [BASE, DOLLARS, SALE, OTHER_SALE].find((list) => {
          const linked = relationships?.[name]?.data
          return JSON.stringify(linked) === JSON.stringify(linkTo('price_lists', id(list)).data)
        })
      return [numberOf('price_list'), numberOf('base_price_list')]
    },
    eventsOf: async (scheduler: string): Promise<readonly unknown[]> =>
      listOf(await core().get(`/api/price_list_schedulers/${scheduler}/events`, core().tokens.admin))
        .data.map(({ attributes }) => attributes['name'])
        .sort(),
    addLists: () =>
      core().pool.query(`
        INSERT INTO price_lists (id, environment_id, name, code, currency_code) VALUES
          (${SALE}, 1, 'Sale', 'sale', 'EUR'), (${OTHER_SALE}, 1, 'Other sale', 'other-sale', 'EUR');
        INSERT INTO prices (id, environment_id, sku_id, sku_code, price_list_id, currency_code, amount_cents) VALUES
          (500, 1, 1, 'SKU-A', ${SALE}, 'EUR', 3000)`),
  }
}
