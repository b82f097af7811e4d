/**
 * Sessions, in Redis or its stand-in. The cookie holds a random id; the store knows its hash only, and what it stores is
 * sealed with a key from the id: whoever reads the store has neither the cookie nor the tokens.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { KeyValue } from '@merx/key-value/key-value'
import type { Clock } from '@merx/telemetry/clock'
import type { Mode } from '../applications.ts'
import { createSeal } from '../seal.ts'
import type { Tokens } from '../sign-in/authorization-server.ts'

/** A working day. What goes on longer signs in again. */
export const SESSION_SECONDS = 12 * 3_600

export interface Session {
  readonly organization: string
  readonly mode: Mode
  readonly startedAtSeconds: number
  readonly tokens: Tokens
}

export interface Sessions {
  /** @returns the id, for the cookie: always a new one (session fixation) */
  begin(session: Omit<Session, 'startedAtSeconds'>): Promise<string>
  /** Undefined when it is not ours or is over. */
  find(id: string | undefined): Promise<Session | undefined>
  /** With other tokens; its end stays. */
  update(id: string, session: Session): Promise<void>
  end(id: string): Promise<void>
}

const ID_BYTES = 32
const ID = /^[\w-]{43}$/

const keyOf = (id: string): string => `session:${createHash('sha256').update(id).digest('base64url')}`

const sealOf = (id: string) => createSeal(id, 'session')

export const createSessions = (keyValue: KeyValue, clock: Clock): Sessions => {
  const nowSeconds = (): number => Math.floor(clock.now().getTime() / 1_000)
  const secondsLeft = ({ startedAtSeconds }: Session): number =>
    startedAtSeconds + SESSION_SECONDS - nowSeconds()
  const update: Sessions['update'] = async (id, session) => {
    const ttlSeconds = secondsLeft(session)
    if (ttlSeconds > 0) await keyValue.set(keyOf(id), sealOf(id).seal(session), { ttlSeconds })
  }
  return {
    update,
    begin: async (begun) => {
      const id = randomBytes(ID_BYTES).toString('base64url')
      await update(id, { ...begun, startedAtSeconds: nowSeconds() })
      return id
    },
    find: async (id) => {
      if (id === undefined || !ID.test(id)) return undefined
      const text = await keyValue.get(keyOf(id))
      // Authentic, and only this file seals it.
      const session = text === undefined ? undefined : (sealOf(id).open(text) as Session | undefined)
      return session !== undefined && secondsLeft(session) > 0 ? session : undefined
    },
    end: (id) => keyValue.delete(keyOf(id)),
  }
}
