/**
 * Hashing and checking passwords: argon2id of Node's own crypto, with the cost OWASP asks for (Password Storage Cheat
 * Sheet: 19 MiB, 2 passes, 1 lane), a few at a time (docs/adr: passwords).
 */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { AppError } from '@merx/errors/app-error'
import { normalizePassword } from '@merx/validation/normalize'
import pLimit from 'p-limit'
import { formatPhc, parsePhc, type Argon2Cost } from './phc-string.ts'

/** What new hashes are made with; older ones are checked with what they say themselves. */
export const PASSWORD_COST: Argon2Cost = { memory: 19_456, passes: 2, lanes: 1 }

/** Half the threads of Node's pool: signing tokens, reading files and looking up names need the others. */
export const HASHES_AT_ONCE = 2
/** About a second of waiting; later callers are asked to try again. */
export const HASHES_WAITING_MAX = 64
/** New passwords, which anyone may send too, leave the other thread to those who sign in. */
export const NEW_AT_ONCE = 1
export const NEW_WAITING_MAX = 32
/** Guessers have one of the threads between them, and fewer places to wait, so that they cannot use up the others. */
export const GUESSES_AT_ONCE = 1
export const GUESSES_WAITING_MAX = 16

const SALT_BYTES = 16
const TAG_BYTES = 32

/** Longest password in bytes of UTF-8: argon2 takes any, but somebody must carry it. */
export const PASSWORD_BYTES_MAX = 4_096

const derive = promisify(argon2)
const limited = pLimit(HASHES_AT_ONCE)
const limitedNew = pLimit(NEW_AT_ONCE)
const limitedBackground = pLimit(NEW_AT_ONCE)
const limitedGuesses = pLimit(GUESSES_AT_ONCE)
let computed = 0

/** How much was and is done, for tests and measurements. */
export const passwordWork = (): { computed: number; running: number; waiting: number } => ({
  computed,
  running: limited.activeCount,
  waiting: limited.pendingCount,
})

/** 503 with Retry-After: a flood of passwords must take neither all threads nor the memory. */
const refuseMore = (): AppError =>
  new AppError('service_unavailable', {
    detail: 'Too many passwords are being checked at the moment; try again.',
    headers: { 'Retry-After': '1' },
    level: 'info',
  })

const compute = async (password: string, salt: Uint8Array, cost: Argon2Cost, tagLength: number) => {
  const message = Buffer.from(password, 'utf8')
  if (message.length > PASSWORD_BYTES_MAX)
    throw new RangeError(`a password has at most ${PASSWORD_BYTES_MAX} bytes`)
  const { memory, passes, lanes: parallelism } = cost
  const parameters = { message, nonce: salt, memory, passes, parallelism, tagLength }
  return limited(async () => {
    const tag = await derive('argon2id', parameters)
    computed += 1
    return tag
  })
}

export interface HashOptions {
  /** No caller waits for the answer, as in an import: the hash waits for its turn, however many come before it. */
  readonly isBackground?: boolean
}

/**
 * The hash in PHC form, with a salt of its own. Some 25 ms on a thread of the pool.
 * @throws AppError service_unavailable when too many wait
 * @example await hashPassword('correct horse') // '$argon2id$v=19$m=19456,t=2,p=1$…$…'
 */
export const hashPassword = async (
  password: string,
  { isBackground = false }: HashOptions = {},
): Promise<string> => {
  if (!isBackground && limitedNew.pendingCount >= NEW_WAITING_MAX) throw refuseMore()
  const salt = randomBytes(SALT_BYTES)
  const hash = () => compute(normalizePassword(password), salt, PASSWORD_COST, TAG_BYTES)
  const tag = await (isBackground ? limitedBackground(hash) : limitedNew(hash))
  return formatPhc({ cost: PASSWORD_COST, salt, tag })
}

/** Nobody knows the password of this one. */
const nobodysHash = formatPhc({
  cost: PASSWORD_COST,
  salt: randomBytes(SALT_BYTES),
  tag: randomBytes(TAG_BYTES),
})

export interface CheckOptions {
  /** The caller sent wrong passwords lately. */
  readonly isGuessing?: boolean
}

/**
 * Whether the password belongs to the hash. Without a hash (nobody of that name, or somebody without a password) the
 * same work is done and the answer is no, so that the time tells nobody who exists.
 * @throws AppError service_unavailable when too many wait
 */
export const isPasswordOf = async (
  stored: string | null | undefined,
  password: string,
  { isGuessing = false }: CheckOptions = {},
): Promise<boolean> => {
  const { cost, salt, tag } = parsePhc(stored ?? nobodysHash)
  const isTag = async (spelling: string): Promise<boolean> =>
    timingSafeEqual(await compute(spelling, salt, cost, tag.length), tag)
  // Hashes of earlier releases are of the password as it was typed. Both are tried for nobody too, who has neither.
  const spellings = [...new Set([normalizePassword(password), password])]
  const check = async (): Promise<boolean> => {
    for (const spelling of spellings) if ((await isTag(spelling)) && typeof stored === 'string') return true
    return false
  }
  if (!isGuessing) {
    if (limited.pendingCount >= HASHES_WAITING_MAX) throw refuseMore()
    return check()
  }
  if (limitedGuesses.pendingCount >= GUESSES_WAITING_MAX) throw refuseMore()
  return limitedGuesses(check)
}
