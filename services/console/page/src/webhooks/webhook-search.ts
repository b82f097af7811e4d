/** What the address of the list of webhooks says: a text, a state, the page. */
import { readTextSearch, type TextSearch } from '../parts/text-search.ts'

export const WEBHOOK_STATES = ['working', 'failing', 'stopped', 'disabled'] as const

/** `stopped`: its circuit is open, so nothing is sent until it is reset. */
export type WebhookState = (typeof WEBHOOK_STATES)[number]

export interface WebhookSearch extends TextSearch {
  readonly state?: WebhookState
}

/** Takes what makes sense; an address that somebody typed is no reason for an error page. */
export const readWebhookSearch = (raw: Readonly<Record<string, unknown>>): WebhookSearch => {
  const state = WEBHOOK_STATES.find((each) => each === raw['state'])
  return { ...readTextSearch(raw), ...(state === undefined ? {} : { state }) }
}
