/**
 * Checks a password within the limits on wrong ones (docs/adr/0017-guessing.md). Every attempt counts before the password
 * is checked, so that a thousand at once are a thousand; a right one is taken back.
 */
import { limitedAddress, limitedNetwork } from '@merx/rate-limit/client-address'
import type { KeyLimiter } from '@merx/rate-limit/create-limiter'
import type { PasswordLimits } from '../limits.ts'

export interface PasswordAttempt {
  /** The account as the request names it, whether or not it exists. */
  readonly account: string
  readonly accountsOfAddress: 'customersOfAddress' | 'usersOfAddress'
  /** Where the request came from. */
  readonly address: string | undefined
  /** Where the account signed in before: a browser or an address. Absent for everyone else. */
  readonly knownPlace?: string | undefined
}

export type PasswordOutcome<T> =
  | { readonly kind: 'limited'; readonly retryAfterSeconds: number }
  | { readonly kind: 'wrong' }
  | { readonly kind: 'right'; readonly value: T }

/** @param check undefined when the password is wrong; a guesser's check must leave threads to others */
export type PasswordAttempts = <T>(
  attempt: PasswordAttempt,
  check: (isGuessing: boolean) => Promise<T | undefined>,
) => Promise<PasswordOutcome<T>>

type Counter = readonly [limiter: KeyLimiter, key: string]

export const createPasswordAttempts = (limits: PasswordLimits): PasswordAttempts => {
  /** In order: what an earlier limit refuses does not use up a later one. @returns seconds to wait, or 0 */
  const countAll = async (counters: readonly Counter[], counted: Counter[]): Promise<number> => {
    for (const [limiter, key] of counters) {
      counted.push([limiter, key])
      const { isAllowed, retryAfterSeconds } = await limiter.consume(key)
      if (!isAllowed) return retryAfterSeconds
    }
    return 0
  }

  const countEverywhere = ({
    account,
    address,
    accountsOfAddress,
    knownPlace,
  }: PasswordAttempt): Counter[] => {
    const from = limitedAddress(address)
    const pair = `${account} ${knownPlace ?? from}`
    return [
      [limits[accountsOfAddress], from],
      [limits.pair, pair],
      [limits.pairHour, pair],
      [limits.pairDay, pair],
    ]
  }

  /** Other callers may slow each other down, never shut the owner out: each address keeps some attempts. */
  const countUnknownBrowser = async (
    { account, address }: PasswordAttempt,
    counted: Counter[],
  ): Promise<number> => {
    const pair = `${account} ${limitedAddress(address)}`
    const ofNetwork = await countAll([[limits.network, `${account} ${limitedNetwork(address)}`]], counted)
    if (ofNetwork > 0) return ofNetwork
    const isUnderAttack = (await countAll([[limits.otherCallers, account]], counted)) > 0
    if (!isUnderAttack) return 0
    return countAll(
      [
        [limits.pairUnderAttack, pair],
        [limits.pairUnderAttackDay, pair],
      ],
      counted,
    )
  }

  return async (attempt, check) => {
    const counted: Counter[] = []
    const isUnknownBrowser = attempt.knownPlace === undefined
    const seconds =
      (await countAll(countEverywhere(attempt), counted)) ||
      (isUnknownBrowser ? await countUnknownBrowser(attempt, counted) : 0)
    if (seconds > 0) return { kind: 'limited', retryAfterSeconds: seconds }
    const guesser: Counter = [limits.guesser, limitedAddress(attempt.address)]
    const isGuessing = isUnknownBrowser && (await countAll([guesser], counted)) > 0
    const takeBack = () => Promise.all(counted.map(([limiter, key]) => limiter.giveBack(key)))
    try {
      const value = await check(isGuessing)
      if (value === undefined) return { kind: 'wrong' }
      await takeBack()
      return { kind: 'right', value }
    } catch (error) {
      await takeBack() // the password was not checked: nobody guessed
      throw error
    }
  }
}
