/** What an answer of an outside gateway says about an attempt. Pure; nothing of it is believed that was not asked for. */
import { compile } from '@merx/validation/compile'
import type { OutsideAnswer } from '../../engine/write/outside-calls.ts'
import { OWN_CODES } from './attempt.ts'

/** Columns of the transaction that an answer may fill in. */
export interface AnswerDetails {
  readonly message?: string
  readonly error_code?: string
  readonly error_detail?: string
  readonly avs_code?: string
  readonly avs_message?: string
  readonly cvv_code?: string
  readonly cvv_message?: string
  readonly fraud_review?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

export type GatewayVerdict =
  /** It moved exactly what was asked for. */
  | { readonly kind: 'moved'; readonly token: string; readonly details: AnswerDetails }
  /** It moved another amount, or does not say what it is called: nothing that can be counted. */
  | { readonly kind: 'mismatched'; readonly token: string | undefined; readonly message: string }
  | { readonly kind: 'pending'; readonly actionId: string; readonly token: string | undefined }
  /** It says that it moved nothing. */
  | { readonly kind: 'declined'; readonly token: string | undefined; readonly details: AnswerDetails }
  /** It was not reached, or answered nonsense; `isSure` when this question cannot have moved anything. */
  | {
      readonly kind: 'failed'
      readonly isSure: boolean
      readonly code: string
      readonly message: string
    }

export interface GatewayBody {
  readonly success: boolean
  readonly error?: GatewayError
  readonly data?: {
    readonly transaction_token?: string | null
    readonly amount_cents?: number
    readonly action_id?: string
    readonly metadata?: Readonly<Record<string, unknown>>
    readonly error?: GatewayError
  } & Readonly<Partial<Record<(typeof TEXTS)[number], string | null>>>
}

interface GatewayError {
  readonly code?: string
  readonly message?: string
}

/** What a gateway may say besides (commerce.md 1.2). */
const TEXTS = [
  'message',
  'error_code',
  'error_detail',
  'avs_code',
  'avs_message',
  'cvv_code',
  'cvv_message',
  'fraud_review',
] as const

const text = (maxLength: number) => ({ type: ['string', 'null'], maxLength })
const error = {
  type: 'object',
  properties: { code: text(255), message: text(2_000) },
}

const parseBody = compile<GatewayBody>({
  type: 'object',
  required: ['success'],
  properties: {
    success: { type: 'boolean' },
    error,
    data: {
      type: 'object',
      properties: {
        transaction_token: text(255),
        amount_cents: { type: 'integer' },
        action_id: { type: 'string', minLength: 1, maxLength: 255 },
        metadata: { type: 'object' },
        error,
        ...Object.fromEntries(TEXTS.map((name) => [name, text(2_000)])),
      },
    },
  },
})

/** A body of an answer or of a callback, or what is wrong with it. */
export const readGatewayBody = (
  text: string,
): { readonly body: GatewayBody } | { readonly problem: string } => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'is not JSON' }
  }
  const parsed = parseBody(value)
  if (parsed.ok) return { body: parsed.value }
  const [first] = parsed.violations
  return { problem: `is not what was expected: ${first?.pointer ?? ''} ${first?.message ?? ''}`.trim() }
}

/** The question never reached whoever was called. Not so a redirect: 303 is how some say that something was done. */
const NOT_SENT: readonly string[] = ['invalid_url', 'name_not_found', 'refused_address', 'tls']

export const verdictOf = (answer: OutsideAnswer, amountCents: number): GatewayVerdict => {
  if (answer.kind === 'failed')
    return {
      kind: 'failed',
      isSure: NOT_SENT.includes(answer.reason),
      code: answer.reason,
      message: answer.message,
    }
  const { status } = answer
  const code = `http_${status}`
  if (status >= 500)
    return { kind: 'failed', isSure: false, code, message: `the status of the answer is ${status}` }
  const read = readGatewayBody(answer.body)
  if ('problem' in read) {
    const isSure = status >= 400
    return isSure
      ? { kind: 'failed', isSure, code, message: `the status of the answer is ${status}` }
      : { kind: 'failed', isSure, code: 'invalid_answer', message: `the body of the answer ${read.problem}` }
  }
  return verdictOfBody(read.body, status, amountCents)
}

export const verdictOfBody = (body: GatewayBody, status: number, amountCents: number): GatewayVerdict => {
  const { success, data } = body
  const { action_id: actionId, amount_cents: moved = amountCents } = data ?? {}
  const token = data?.transaction_token ?? undefined
  const details = detailsOf(body)
  if (status === 202) {
    if (actionId !== undefined) return { kind: 'pending', actionId, token }
    const message = 'the answer has status 202 and no data.action_id'
    return { kind: 'failed', isSure: false, code: 'invalid_answer', message }
  }
  if (!success) return { kind: 'declined', token, details }
  if (status >= 400)
    return {
      kind: 'failed',
      isSure: false,
      code: `http_${status}`,
      message: `the status of the answer is ${status}`,
    }
  if (moved !== amountCents)
    return { kind: 'mismatched', token, message: `the gateway moved ${moved} in place of ${amountCents}` }
  if (token === undefined || token === '')
    return { kind: 'mismatched', token: undefined, message: 'the answer has no data.transaction_token' }
  return { kind: 'moved', token, details }
}

/** What it says, and nothing that is empty. */
export const detailsOf = ({ data, error: outer, success }: GatewayBody): AnswerDetails => {
  const said = data?.error ?? outer ?? {}
  const texts = Object.fromEntries(
    TEXTS.flatMap((name) => {
      const value = data?.[name] ?? undefined
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
  const message = said.message ?? undefined
  const code = said.code ?? texts['error_code'] ?? (success ? undefined : 'declined')
  return {
    ...(success ? {} : { message: 'Declined' }),
    ...texts,
    ...(message === undefined ? {} : { message, error_detail: message }),
    ...(code === undefined ? {} : { error_code: OWN_CODES.includes(code) ? `gateway_${code}` : code }),
    ...(data?.metadata === undefined ? {} : { metadata: data.metadata }),
  }
}
