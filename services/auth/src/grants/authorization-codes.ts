/**
 * Authorization codes between the consent page and the exchange: ten minutes, one use (RFC 6749 4.1.2). What a code
 * gave is stored for a day, so that a second use of it can be answered by revoking that.
 */
import type { KeyValue } from '@merx/key-value/key-value'
import { createOpaqueToken, hashOpaqueToken } from '../clients/client-secret.ts'

export interface AuthorizationCode {
  readonly clientId: string
  readonly userId: string
  /** Of the password the user had at consent; codes that an earlier release gave have none. */
  readonly passwordMark?: string
  readonly redirectUri: string
  readonly scope?: string
  /** S256 challenge of RFC 7636, when the client sent one. */
  readonly codeChallenge?: string
}

/** What a code was exchanged for. */
export interface ExchangedCode {
  readonly clientId: string
  /** The refresh family that began with it, in decimal digits. */
  readonly familyId: string
}

export interface AuthorizationCodes {
  create(code: AuthorizationCode): Promise<string>
  /** The code's content, once; undefined when unknown, used or expired. */
  take(code: string): Promise<AuthorizationCode | undefined>
  /**
   * Notes what a taken code gave.
   * @returns whether the code was presented again in the meantime, by the same client: then the caller must revoke it
   */
  recordExchange(code: string, exchanged: ExchangedCode): Promise<boolean>
  /** Notes that a client presented a code that cannot be taken. @returns what it gave before, if anything. */
  recordReplay(code: string, clientId: string): Promise<ExchangedCode | undefined>
}

export const CODE_LIFETIME_SECONDS = 600
export const EXCHANGE_MEMORY_SECONDS = 86_400
/** As long as an exchange may take to be answered, and much longer. */
const REPLAY_MEMORY_SECONDS = 60

/** Only a digest is kept: who reads the store cannot exchange anything. */
const digestOf = (code: string): string => Buffer.from(hashOpaqueToken(code)).toString('base64url')
const slotOf = (code: string): string => `code:${digestOf(code)}`
const exchangedSlotOf = (code: string): string => `code-exchanged:${digestOf(code)}`
const replaySlotOf = (code: string, clientId: string): string => `code-replayed:${digestOf(code)}:${clientId}`

export const createAuthorizationCodes = (keyValue: KeyValue): AuthorizationCodes => ({
  create: async (content) => {
    const code = createOpaqueToken()
    await keyValue.set(slotOf(code), JSON.stringify(content), { ttlSeconds: CODE_LIFETIME_SECONDS })
    return code
  },
  take: async (code) => {
    const text = await keyValue.take(slotOf(code))
    return text === undefined ? undefined : (JSON.parse(text) as AuthorizationCode)
  },
  // Each of the two writes its own note before it reads the other's, so at least one of them learns of both.
  recordExchange: async (code, exchanged) => {
    const note = JSON.stringify(exchanged)
    await keyValue.set(exchangedSlotOf(code), note, { ttlSeconds: EXCHANGE_MEMORY_SECONDS })
    return (await keyValue.get(replaySlotOf(code, exchanged.clientId))) !== undefined
  },
  recordReplay: async (code, clientId) => {
    await keyValue.set(replaySlotOf(code, clientId), '1', { ttlSeconds: REPLAY_MEMORY_SECONDS })
    const note = await keyValue.get(exchangedSlotOf(code))
    const exchanged = note === undefined ? undefined : (JSON.parse(note) as ExchangedCode)
    return exchanged?.clientId === clientId ? exchanged : undefined
  },
})
