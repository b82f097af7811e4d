/** What an outside gateway is asked for an attempt: its address, and the document that it gets (commerce.md 1.2). */
import type { RowOf } from '../../engine/database/rows.ts'
import type { OutsideAnswer, OutsideDeps } from '../../engine/write/outside-calls.ts'
import { outsideDocument, pathsOf } from '../../outside/outside-document.ts'
import type { TransactionType } from '../ledger.ts'
import type { AttemptRow } from './attempt.ts'

export type GatewayRow = RowOf<'PaymentGateway'>

/** Type of the attempt → the address that is asked, and what the document says about the amount. */
export const QUESTIONS = {
  authorizations: { url: 'authorize_url', amount: '_authorization_amount_cents' },
  captures: { url: 'capture_url', amount: '_capture_amount_cents' },
  voids: { url: 'void_url', amount: '_void_amount_cents' },
  refunds: { url: 'refund_url', amount: '_refund_amount_cents' },
} as const satisfies Record<TransactionType, { readonly url: keyof GatewayRow; readonly amount: string }>

export const typeOf = ({ type }: Pick<AttemptRow, 'type'>): TransactionType => type as TransactionType

interface Subject {
  readonly type: string
  readonly number: number | null
}

/** What the question is about: the source of an authorization, what a capture or void acts on, the capture of a refund. */
const subjectOf = (row: AttemptRow): Subject => {
  switch (typeOf(row)) {
    case 'authorizations':
      return { type: row.payment_source_type ?? 'external_payments', number: row.payment_source_id }
    case 'refunds':
      return { type: 'captures', number: row.reference_capture_id }
    default:
      return { type: 'authorizations', number: row.reference_authorization_id }
  }
}

/** Asks for the attempt itself. The key is the same however often it is asked. */
export const askFor = (row: AttemptRow, gateway: GatewayRow, deps: OutsideDeps): Promise<OutsideAnswer> => {
  const { url, amount } = QUESTIONS[typeOf(row)]
  return post(row, gateway, { url, subject: subjectOf(row), amount, key: keyOf(row, deps) }, deps)
}

/** Asks to give back what the attempt moved: an authorization is voided, a capture refunded. */
export const askBack = (row: AttemptRow, gateway: GatewayRow, deps: OutsideDeps): Promise<OutsideAnswer> => {
  const { url, amount } = QUESTIONS[row.type === 'captures' ? 'refunds' : 'voids']
  const subject = { type: row.type, number: row.id }
  return post(row, gateway, { url, subject, amount, key: `${keyOf(row, deps)}-back` }, deps)
}

/** The public id of the transaction. */
const keyOf = (row: AttemptRow, { registry }: OutsideDeps): string =>
  registry.ids.encode('transactions', row.id)

const post = async (
  row: AttemptRow,
  gateway: GatewayRow,
  question: {
    readonly url: (typeof QUESTIONS)[TransactionType]['url']
    readonly subject: Subject
    readonly amount: string
    readonly key: string
  },
  deps: OutsideDeps,
): Promise<OutsideAnswer> => {
  const { [question.url]: url } = gateway
  if (url === null || url === '')
    return { kind: 'failed', reason: 'invalid_url', message: `the gateway has no ${question.url}` }
  if (gateway.circuit_state === 'open')
    return { kind: 'failed', reason: 'circuit_open', message: 'the circuit of the gateway is open' }
  const { type, number } = question.subject
  const document = await outsideDocument(
    {
      definition: deps.registry.require(type),
      number: number ?? -1,
      environmentId: row.environment_id,
      includes: pathsOf(gateway.external_includes),
      triggers: { [question.amount]: row.amount_cents },
    },
    deps,
  )
  if (document === undefined)
    return { kind: 'failed', reason: 'invalid_url', message: `there is no row of ${type} any more` }
  return deps.post({
    url,
    body: JSON.stringify(document),
    secret: deps.secretBox.derive(gateway.shared_secret),
    headers: { 'idempotency-key': question.key },
  })
}
