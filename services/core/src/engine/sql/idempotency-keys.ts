/** Statements about idempotency keys: try one, claim it, use it together with a row, store the answer of a write, find it again. */
import { identifier } from './identifiers.ts'
import { createParams } from './params.ts'
import type { Params, Statement } from './params.ts'

/** For so long the answer is kept. */
export const KEY_HOURS = 24

/** A key as one caller sent it with one request. */
export interface RequestKey {
  readonly environmentId: number
  /** Of the caller and the key; 32 bytes. */
  readonly hash: Buffer
  /** Of the request: the same key with another one is an error. */
  readonly fingerprint: Buffer
  readonly usedAt: Date
  /** A UUID of this request, by which it knows its own claim. */
  readonly holder: string
  /** Keys that were used at or before this are free again. */
  readonly expiredAt: Date
}

/** A key to use in the statement that writes a row: it is stored if and only if the row is written. */
export interface KeyOfRow {
  readonly key: RequestKey
  /** Of the answer. */
  readonly status: number
}

/** 64 bits of the hash: whoever holds this advisory lock works on the key. It ends with the transaction. */
const lockOf = ({ hash }: RequestKey): string => hash.readBigInt64BE().toString()

/** Longer than a call to the outside takes, with the statements around it. */
const CLAIM_SECONDS = 15

/** A condition on a claim: another request holds it. By the clock of PostgreSQL, because replicas have one each. */
const HELD = `held_until > clock_timestamp()`

/**
 * Takes the lock, and looks for the key. A text without parameters, because it is sent together with BEGIN; all that it holds was
 * made here of bytes and numbers.
 */
export const tryKey = (key: RequestKey): string => `
  SELECT pg_try_advisory_xact_lock(${lockOf(key)}) AND NOT EXISTS (
    SELECT FROM idempotency_claims
    WHERE environment_id = ${Number(key.environmentId)} AND key_hash = decode('${key.hash.toString('hex')}', 'hex')
      AND holder <> '${key.holder}'::uuid AND ${HELD}) AS is_free, EXISTS (
    SELECT FROM idempotency_keys
    WHERE environment_id = ${Number(key.environmentId)} AND key_hash = decode('${key.hash.toString('hex')}', 'hex')
      AND created_at > '${key.expiredAt.toISOString()}'::timestamptz) AS is_used`

/** Common table expressions of a statement whose expression `written` writes one row, and the condition of that. */
export const keyParts = (
  { key, status }: KeyOfRow,
  params: Params,
): { readonly before: string; readonly condition: string; readonly after: string } => ({
  before: `key AS (SELECT pg_try_advisory_xact_lock(${params.add(lockOf(key), 'bigint')}) AND NOT EXISTS (
      SELECT FROM idempotency_claims
      WHERE environment_id = $1::bigint AND key_hash = ${params.add(key.hash, 'bytea')} AND ${HELD}) AS is_free)`,
  condition: '(SELECT is_free FROM key)',
  after: `used AS (
      INSERT INTO idempotency_keys (environment_id, key_hash, fingerprint, status, written_row, created_at)
      SELECT $1::bigint, ${params.add(key.hash, 'bytea')}, ${params.add(key.fingerprint, 'bytea')},
        ${params.add(status, 'bigint')}, to_jsonb(written), ${params.add(key.usedAt, 'timestamptz')} FROM written)`,
})

/** Before a call to the outside. Returns a row when the key is held by this request, none when another one holds it. */
export const claimKey = (key: RequestKey): Statement => ({
  text: `INSERT INTO idempotency_claims AS c (environment_id, key_hash, holder, held_until)
    VALUES ($1::bigint, $2::bytea, $3::uuid, clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS}))
    ON CONFLICT (environment_id, key_hash) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
      WHERE c.holder = excluded.holder OR c.held_until <= clock_timestamp()
    RETURNING 1 AS held`,
  values: [key.environmentId, key.hash, key.holder],
})

export const releaseKey = (key: RequestKey): Statement => ({
  text: 'DELETE FROM idempotency_claims WHERE environment_id = $1::bigint AND key_hash = $2::bytea AND holder = $3::uuid',
  values: [key.environmentId, key.hash, key.holder],
})

/** Returns a row when it was stored, none when another request has used the key meanwhile. */
export const storeAnswer = (key: RequestKey, status: number, sealedAnswer: string): Statement => {
  const params = createParams(key.environmentId)
  const values = [
    params.add(key.hash, 'bytea'),
    params.add(key.fingerprint, 'bytea'),
    params.add(status, 'bigint'),
    params.add(sealedAnswer, 'text'),
    params.add(key.usedAt, 'timestamptz'),
  ]
  return {
    text: `INSERT INTO idempotency_keys AS k (environment_id, key_hash, fingerprint, status, answer, created_at)
      VALUES ($1::bigint, ${values.join(', ')})
      ON CONFLICT (environment_id, key_hash) DO UPDATE
        SET fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer, written_row = NULL,
          created_at = excluded.created_at
        WHERE k.created_at <= ${params.add(key.expiredAt, 'timestamptz')}
      RETURNING 1 AS stored`,
    values: params.values,
  }
}

/** Takes the place of the written row, in an answer that shows more than the row. */
export const storeAnswerOfRow = (key: RequestKey, sealedAnswer: string): Statement => {
  const params = createParams(key.environmentId)
  const answer = params.add(sealedAnswer, 'text')
  return {
    text: `UPDATE idempotency_keys SET answer = ${answer}, written_row = NULL
      WHERE environment_id = $1 AND key_hash = ${params.add(key.hash, 'bytea')} AND written_row IS NOT NULL`,
    values: params.values,
  }
}

/**
 * `key_fingerprint`, `key_answer` (null when it is rendered from the row), and the columns of the row as it was when the write had been
 * done (those that are not shown are null). One statement, because an answer may take the place of the row at any time.
 */
export const selectStored = (key: RequestKey, table: string): Statement => {
  const params = createParams(key.environmentId)
  const text = `SELECT k.fingerprint AS key_fingerprint, k.answer AS key_answer, r.* FROM idempotency_keys AS k
    CROSS JOIN LATERAL jsonb_populate_record(NULL::${identifier(table)}, k.written_row) AS r
    WHERE k.environment_id = $1 AND k.key_hash = ${params.add(key.hash, 'bytea')}
      AND k.created_at > ${params.add(key.expiredAt, 'timestamptz')}`
  return { text, values: params.values }
}
