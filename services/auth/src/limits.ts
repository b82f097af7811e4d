/** Every limiter of this service, opened once, on Redis or in this process. */
import { passwordWindows, secretWindows, type Window } from '@merx/rate-limit/budgets'
import {
  createKeyLimiter,
  createLimiter,
  type KeyLimiter,
  type Limiter,
  type LimiterOptions,
} from '@merx/rate-limit/create-limiter'

export type PasswordLimits = Readonly<Record<keyof typeof passwordWindows, KeyLimiter>>
export type SecretLimits = Readonly<Record<keyof typeof secretWindows, KeyLimiter>>

export interface Limits {
  readonly requests: Limiter
  /** Wrong passwords, at the authorize page and at the token endpoint. */
  readonly passwords: PasswordLimits
  /** Wrong secrets, wherever clients authenticate. */
  readonly secrets: SecretLimits
}

export const createLimits = (options: LimiterOptions): Limits => {
  const openAll = <Name extends string>(prefix: string, windows: Readonly<Record<Name, Window>>) =>
    Object.fromEntries(
      Object.entries<Window>(windows).map(([name, window]) => [
        name,
        createKeyLimiter({ ...options, name: `${prefix}:${name}`, window }),
      ]),
    ) as Readonly<Record<Name, KeyLimiter>>
  return {
    requests: createLimiter(options),
    passwords: openAll('password', passwordWindows),
    secrets: openAll('guess', secretWindows),
  }
}
