/** Webhooks and their deliveries, as core has them. */
import { Refused } from '../data/answers.ts'
import { askCore } from '../data/api.ts'
import { escaped } from '../records/find-records.ts'
import { addressOf } from '../records/read-records.ts'
import { recordType } from '../records/types.ts'
import type { WebhookSearch, WebhookState } from './webhook-search.ts'

export interface Webhook {
  readonly id: string
  readonly attributes: {
    readonly name: string | null
    readonly topic: string
    readonly callback_url: string
    readonly include_resources: readonly string[] | null
    readonly disabled_at: string | null
    readonly circuit_state: string | null
    /** Failures in a row. */
    readonly circuit_failure_count: number | null
    /** Only where a role may see it, and of one webhook alone. */
    readonly shared_secret?: string
    readonly created_at: string
  }
}

/** One call of a webhook; core keeps the status of its answer, not the body. */
export interface Delivery {
  readonly id: string
  readonly attributes: {
    readonly callback_url: string
    /** The document that was sent; null when none could be made. */
    readonly payload?: unknown
    /** Null when there was no answer; then the message says why. */
    readonly response_code: string | null
    readonly response_message: string | null
    readonly created_at: string
  }
}

export interface Page<Row> {
  readonly data: readonly Row[]
  readonly meta: { readonly record_count: number; readonly page_count: number }
}

const PAGE_SIZE = '25'

export const stateOf = ({ attributes }: Webhook): WebhookState => {
  if (attributes.disabled_at !== null) return 'disabled'
  if (attributes.circuit_state === 'open') return 'stopped'
  return (attributes.circuit_failure_count ?? 0) > 0 ? 'failing' : 'working'
}

const FILTERS: Readonly<Record<WebhookState, Readonly<Record<string, string>>>> = {
  working: { disabled_at_null: 'true', circuit_state_not_eq: 'open', circuit_failure_count_eq: '0' },
  failing: { disabled_at_null: 'true', circuit_state_not_eq: 'open', circuit_failure_count_gt: '0' },
  stopped: { disabled_at_null: 'true', circuit_state_eq: 'open' },
  disabled: { disabled_at_not_null: 'true' },
}

export const webhookQuery = ({ text, state, page = 1 }: WebhookSearch): URLSearchParams => {
  const query = new URLSearchParams({
    'fields[webhooks]': 'name,topic,callback_url,disabled_at,circuit_state,circuit_failure_count,created_at',
    ...{ sort: '-created_at', 'page[size]': PAGE_SIZE, 'page[number]': String(page) },
  })
  if (text !== undefined) query.set('filter[q][name_or_topic_cont]', escaped(text))
  for (const [name, value] of Object.entries(state === undefined ? {} : FILTERS[state]))
    query.set(`filter[q][${name}]`, value)
  return query
}

/** @throws Refused */
export const readWebhooks = (search: WebhookSearch): Promise<Page<Webhook>> =>
  askCore<Page<Webhook>>(`webhooks?${webhookQuery(search).toString()}`)

/** @throws Refused */
export const readWebhook = async (id: string): Promise<Webhook> =>
  (await askCore<{ readonly data: Webhook }>(addressOf('webhooks', id))).data

/** The newest first, without what was sent, which can be long. @throws Refused */
export const readDeliveries = (id: string, page: number): Promise<Page<Delivery>> => {
  const query = new URLSearchParams({
    'filter[q][webhook_id_eq]': id,
    'fields[event_callbacks]': 'callback_url,response_code,response_message,created_at',
    ...{ sort: '-created_at', 'page[size]': PAGE_SIZE, 'page[number]': String(page) },
  })
  return askCore<Page<Delivery>>(`event_callbacks?${query.toString()}`)
}

/** @throws Refused */
export const readDelivery = async (id: string): Promise<Delivery> =>
  (await askCore<{ readonly data: Delivery }>(addressOf('event_callbacks', id))).data

/** Whether the other side took it. */
export const isTaken = ({ attributes: { response_code: code } }: Delivery): boolean =>
  code?.startsWith('2') === true

export interface SentRecord {
  readonly type: string
  readonly id: string
}

/** The record whose document was sent. */
export const recordOf = ({ attributes: { payload } }: Delivery): SentRecord | undefined => {
  const { data } = (payload ?? {}) as { readonly data?: Partial<SentRecord> }
  return data?.type === undefined || data.id === undefined ? undefined : { type: data.type, id: data.id }
}

interface EventDocument {
  readonly data: readonly {
    readonly id: string
    readonly relationships: {
      readonly last_event_callbacks: { readonly data: readonly { readonly id: string }[] }
    }
  }[]
}

const NOT_FOUND = 404

const nothingWhenGone = (error: unknown): EventDocument => {
  if (error instanceof Refused && error.status === NOT_FOUND) return { data: [] }
  throw error
}

/**
 * The event of a delivery: that of its record and topic of which it is a callback. Undefined when the record is gone or has no
 * events, or when the event has been called too often since.
 * @throws Refused
 */
export const findEvent = async (delivery: Delivery, topic: string): Promise<string | undefined> => {
  const record = recordOf(delivery)
  if (record === undefined || !('events' in recordType(record.type).relationships)) return undefined
  const query = new URLSearchParams({
    ...{ 'filter[q][name_eq]': topic, include: 'last_event_callbacks', sort: '-created_at' },
    ...{ 'page[size]': PAGE_SIZE, 'fields[event_callbacks]': 'created_at' },
  })
  const { data } = await askCore<EventDocument>(
    `${addressOf(record.type, record.id)}/events?${query.toString()}`,
  ).catch(nothingWhenGone)
  return data.find(({ relationships }) =>
    relationships.last_event_callbacks.data.some(({ id }) => id === delivery.id),
  )?.id
}
