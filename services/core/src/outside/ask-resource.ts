/**
 * Asks a service of the shop's own for a value: prices, taxes, validations (commerce.md 1.2). What it says is checked; that
 * it says nothing usable is an answer too, and counts for its circuit.
 */
import type { Row } from '@merx/jsonapi/attributes'
import type { SingleDocument } from '@merx/jsonapi/render-document'
import type { Result } from '@merx/validation/compile'
import { sharedSecretOf } from '../definitions/shared-secret.ts'
import { askOutside } from '../engine/write/outside-calls.ts'
import type { OutsideAnswer, OutsideAnswers, OutsideDeps } from '../engine/write/outside-calls.ts'
import { EXTERNAL_FAILURES_MAX, recordFailures, recordSuccess } from './circuit.ts'

export interface ResourceQuestion<Data> {
  /** The same for the same question of one write; no numbers of rows that are not stored yet. */
  readonly key: string
  /** Sent as `Idempotency-Key`, to a service that must not do the same twice. */
  readonly idempotencyKey?: string
  readonly environmentId: number
  readonly url: string
  /** The row with `shared_secret`. */
  readonly signer: Row
  /** The row that counts failures, as it is; undefined when it is not stored yet. */
  readonly circuit: { readonly table: string; readonly row: Row } | undefined
  /** Rendered when the question has no answer yet. */
  readonly document: () => Promise<SingleDocument | undefined>
  readonly parse: (data: unknown) => Result<Data>
  /** Outside of any transaction, before the write goes on. */
  readonly afterwards?: (answer: ResourceAnswer<Data>, deps: OutsideDeps) => Promise<void>
}

export type ResourceAnswer<Data> =
  | { readonly kind: 'given'; readonly data: Data }
  /** It answered, and said no. */
  | { readonly kind: 'refused'; readonly errors: readonly ServiceError[] }
  /** It was not asked, or answered nothing usable. */
  | { readonly kind: 'unavailable'; readonly message: string }

export interface ServiceError {
  readonly code: string
  readonly message: string
}

const CIRCUIT_OPEN = 'it failed too often and is not asked any more; send _reset_circuit'

export const askResource = async <Data>(
  question: ResourceQuestion<Data>,
  step: { readonly answers?: OutsideAnswers | undefined },
): Promise<ResourceAnswer<Data>> => {
  const { key, circuit, document } = question
  if (circuit?.row['circuit_state'] === 'open') return { kind: 'unavailable', message: CIRCUIT_OPEN }
  if (step.answers?.has(key) === true)
    return askOutside<ResourceAnswer<Data>>({ key, perform: neverAgain }, step)
  const sent = await document()
  return askOutside<ResourceAnswer<Data>>({ key, perform: (deps) => perform(question, sent, deps) }, step)
}

const neverAgain = (): Promise<never> => Promise.reject(new Error('the answer is known'))

const perform = async <Data>(
  question: ResourceQuestion<Data>,
  document: SingleDocument | undefined,
  deps: OutsideDeps,
): Promise<ResourceAnswer<Data>> => {
  const { url, signer, circuit, environmentId, parse, afterwards, idempotencyKey } = question
  const body = JSON.stringify(document ?? { data: null })
  const secret = sharedSecretOf(signer, deps.secretBox)
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  const answer = answerOf(await deps.post({ url, body, secret, headers }), parse)
  const id = circuit?.row['id']
  if (circuit !== undefined && typeof id === 'number') {
    const row = { table: circuit.table, environmentId, id, opensAt: EXTERNAL_FAILURES_MAX }
    await (answer.kind === 'unavailable' ? recordFailures(row, 1, deps.run) : recordSuccess(row, deps.run))
  }
  await afterwards?.(answer, deps)
  return answer
}

const unavailable = (message: string) => ({ kind: 'unavailable', message }) as const

const MESSAGE_CHARACTERS_MAX = 2_000

const answerOf = <Data>(
  answer: OutsideAnswer,
  parse: ResourceQuestion<Data>['parse'],
): ResourceAnswer<Data> => {
  if (answer.kind === 'failed') return unavailable(answer.message)
  if (answer.status >= 500) return unavailable(`the status of the answer is ${answer.status}`)
  const body = parseJson(answer.body)
  if (typeof body !== 'object' || body === null)
    return unavailable('the body of the answer is not a JSON object')
  const { success, data, error, errors } = body as Readonly<Record<string, unknown>>
  if (success === false) return { kind: 'refused', errors: errorsOf(errors ?? [error]) }
  if (answer.status >= 400) return unavailable(`the status of the answer is ${answer.status}`)
  if (success !== true) return unavailable('the body of the answer does not say "success": true or false')
  const parsed = parse(data ?? {})
  if (parsed.ok) return { kind: 'given', data: parsed.value }
  const [first] = parsed.violations
  return unavailable(
    `the answer is not what was expected: data${first?.pointer ?? ''} ${first?.message ?? ''}`,
  )
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined // what is not JSON is no object either
  }
}

const errorsOf = (value: unknown): readonly ServiceError[] => {
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, 50) : [value]
  return list.map((each) => {
    const { code, message }: Readonly<Record<string, unknown>> =
      typeof each === 'object' && each !== null ? { ...each } : {}
    return {
      code: typeof code === 'string' ? code.slice(0, 255) : 'refused',
      message: (typeof message === 'string' ? message : 'was refused').slice(0, MESSAGE_CHARACTERS_MAX),
    }
  })
}
