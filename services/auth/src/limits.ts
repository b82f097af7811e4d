/** Every limiter of this service, opened once, on Redis or in this process. */
import { guessWindows, signInWindows, type Window } from '@merx/rate-limit/budgets'
import {
  createKeyLimiter,
  createLimiter,
  type KeyLimiter,
  type Limiter,
  type LimiterOptions,
} from '@merx/rate-limit/create-limiter'

export interface Limits {
  readonly requests: Limiter
  /** Tries to sign in at the authorize page. */
  readonly signIn: Readonly<Record<keyof typeof signInWindows, KeyLimiter>>
  /** Wrong passwords and secrets at the token endpoint and its neighbours. */
  readonly guesses: Readonly<Record<keyof typeof guessWindows, KeyLimiter>>
}

export const createLimits = (options: LimiterOptions): Limits => {
  const open = (name: string, window: Window): KeyLimiter => createKeyLimiter({ ...options, name, window })
  const guess = (name: keyof typeof guessWindows) => open(`guess:${name}`, guessWindows[name])
  return {
    requests: createLimiter(options),
    signIn: {
      account: open('sign_in:account', signInWindows.account),
      address: open('sign_in:address', signInWindows.address),
    },
    guesses: {
      passwordFromAddress: guess('passwordFromAddress'),
      passwordFromStrangers: guess('passwordFromStrangers'),
      passwordsOfAddress: guess('passwordsOfAddress'),
      secretFromAddress: guess('secretFromAddress'),
      secretsOfAddress: guess('secretsOfAddress'),
    },
  }
}
