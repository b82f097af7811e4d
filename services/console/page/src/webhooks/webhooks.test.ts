import { readWebhookSearch } from './webhook-search.ts'
import { isTaken, recordOf, stateOf, webhookQuery, type Delivery, type Webhook } from './webhooks.ts'

const webhook = (attributes: Partial<Webhook['attributes']>): Webhook => ({
  id: 'x',
  attributes: {
    ...{ name: null, topic: 'orders.place', callback_url: 'https://example.com', include_resources: null },
    ...{ disabled_at: null, circuit_state: 'closed', circuit_failure_count: 0, created_at: '' },
    ...attributes,
  },
})

describe('a webhook', () => {
  it.each([
    ['working', {}],
    ['working', { circuit_state: null, circuit_failure_count: null }],
    ['failing', { circuit_failure_count: 1 }],
    ['stopped', { circuit_state: 'open', circuit_failure_count: 30 }],
    ['disabled', { circuit_state: 'open', disabled_at: '2026-01-01T00:00:00Z' }],
  ])('is %s with %j', (state, attributes) => {
    expect(stateOf(webhook(attributes))).toBe(state)
  })
})

const delivery = (attributes: Partial<Delivery['attributes']>): Delivery => ({
  id: 'x',
  attributes: {
    ...{ callback_url: '', response_code: null, response_message: null, created_at: '' },
    ...attributes,
  },
})

describe('a delivery', () => {
  it.each([
    ['204', true],
    ['302', false],
    ['500', false],
    [null, false],
  ])('with the answer %s was taken: %s', (response_code, taken) => {
    expect(isTaken(delivery({ response_code }))).toBe(taken)
  })

  it('names the record that was sent', () => {
    const payload = { data: { type: 'orders', id: 'abc', attributes: {} } }
    expect(recordOf(delivery({ payload }))).toEqual({ type: 'orders', id: 'abc' })
    expect(recordOf(delivery({ payload: null }))).toBeUndefined()
    expect(recordOf(delivery({ payload: {} }))).toBeUndefined()
  })
})

describe('the address of the list', () => {
  it('is read as far as it makes sense', () => {
    expect(readWebhookSearch({ text: ' place ', state: 'stopped', page: 2 })).toEqual({
      ...{ text: 'place', state: 'stopped', page: 2 },
    })
    expect(readWebhookSearch({ state: 'constructor', page: -1 })).toEqual({})
  })

  it('asks core for the state and the text, of which a comma is a part', () => {
    const query = Object.fromEntries(webhookQuery({ text: 'a,b', state: 'stopped' }))
    expect(query).toMatchObject({
      ...{ 'filter[q][name_or_topic_cont]': 'a\\,b', 'filter[q][circuit_state_eq]': 'open' },
      ...{ 'filter[q][disabled_at_null]': 'true', 'page[number]': '1' },
    })
  })
})
