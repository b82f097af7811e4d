/**
 * Sends the stored answer of a write whose Idempotency-Key was used before. A new key costs no look-up: whatever stops a write that
 * was done already (the used key itself, a code that is taken, a resource that is gone) is an error, and every error is looked up.
 */
import { AppError } from '@merx/errors/app-error'
import { toAppErrors } from '@merx/errors/to-app-errors'
import { parseRetrieveQuery } from '@merx/jsonapi/parse-query'
import { selectStored } from '../engine/sql/idempotency-keys.ts'
import type { RequestKey } from '../engine/sql/idempotency-keys.ts'
import { KEY_SOURCE } from '../engine/write/keyed-write.ts'
import type { Answer } from './answer.ts'
import type { RouteDeps } from './request.ts'
import { openAnswer, renderWritten } from './written-answer.ts'
import type { Writing } from './written-answer.ts'

type Deps = Pick<RouteDeps, 'run' | 'registry' | 'secretBox'>

const REPLAYED = { 'Idempotent-Replayed': 'true' }

/** Throws AppError `idempotency_key_reused` when the key was used with another request, else what `act` throws. */
export const answerOnce = async (
  writing: Writing,
  deps: Deps,
  act: () => Promise<Answer>,
): Promise<Answer> => {
  const { key } = writing
  if (key === undefined) return act()
  try {
    return await act()
  } catch (error) {
    if (isDenied(error)) throw error
    const stored = await findStored(key, writing, deps)
    if (stored === undefined) throw error
    return { ...stored, headers: { ...stored.headers, ...REPLAYED } }
  }
}

/** Whoever lost the permission since gets no stored answer either. */
const isDenied = (error: unknown): boolean =>
  toAppErrors(error, 'internal_server_error').some(({ status }) => status === 401 || status === 403)

const findStored = async (key: RequestKey, writing: Writing, deps: Deps): Promise<Answer | undefined> => {
  const { run, registry, secretBox } = deps
  const [stored] = await run<StoredAnswer>(selectStored(key, writing.definition.table))
  if (stored === undefined) return undefined
  const { key_fingerprint: fingerprint, key_answer: answer, ...row } = stored
  if (!fingerprint.equals(key.fingerprint))
    throw new AppError('idempotency_key_reused', { source: KEY_SOURCE })
  if (answer !== null) return openAnswer(answer, secretBox)
  return renderWritten(writing, row, parseRetrieveQuery(writing.request.query, writing.definition, registry))
}

interface StoredAnswer {
  readonly [column: string]: unknown
  readonly key_fingerprint: Buffer
  readonly key_answer: string | null
}
