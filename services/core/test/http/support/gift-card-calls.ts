/** Requests that make and read gift cards. */
import { errorsOf, singleOf } from '../../support/open-core.ts'
import type { TestCore } from '../../support/open-core.ts'
import { attributesOf } from './order-calls.ts'
import type { Body, Response } from './order-calls.ts'

export const giftCardCalls = (core: () => TestCore) => {
  const sendCard = (
    attributes: Body,
    relationships: Body = {},
    token = core().tokens.admin,
  ): Promise<Response> =>
    core().send('POST', '/api/gift_cards', token, { data: { type: 'gift_cards', attributes, relationships } })
  const changeCard = (id: string, attributes: Body, token = core().tokens.admin): Promise<Response> =>
    core().send('PATCH', `/api/gift_cards/${id}`, token, { data: { type: 'gift_cards', id, attributes } })
  const draftCard = async (attributes: Body = {}, relationships: Body = {}): Promise<string> => {
    const response = await sendCard(
      { currency_code: 'EUR', balance_cents: 2000, code: 'GIFT2026', ...attributes },
      relationships,
    )
    if (response.status !== 201) throw new Error(JSON.stringify(errorsOf(response)))
    return singleOf(response).data.id
  }
  const cardOf = async (id: string) =>
    attributesOf(await core().get(`/api/gift_cards/${id}`, core().tokens.admin))
  return {
    sendCard,
    changeCard,
    /** Of 20.00 EUR, with the code GIFT2026. */
    draftCard,
    activeCard: async (attributes: Body = {}, relationships: Body = {}): Promise<string> => {
      const id = await draftCard(attributes, relationships)
      attributesOf(await changeCard(id, { _purchase: true, _activate: true }))
      return id
    },
    /** What happened to gift cards, in order. */
    topics: async () =>
      (
        await core().pool.query<{ topic: string }>(
          `SELECT name AS topic FROM events WHERE resource_type = 'gift_cards' ORDER BY id`,
        )
      ).rows.map(({ topic }) => topic),
    balanceOf: async (id: string) => {
      const { status, balance_cents: balance } = await cardOf(id)
      return [status, balance]
    },
    cardOf,
  }
}
