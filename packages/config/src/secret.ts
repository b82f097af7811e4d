import { inspect } from 'node:util'

const REDACTED = '[redacted]'

/**
 * A value that shows itself only when asked: printing, JSON and inspection give `[redacted]`.
 *
 *     new Secret('k3y').reveal()   // 'k3y'
 *     String(new Secret('k3y'))     // '[redacted]'
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return REDACTED
  }

  toJSON(): string {
    return REDACTED
  }

  [inspect.custom](): string {
    return REDACTED
  }
}
