/**
 * Calls to the outside that a write needs. None is made while a transaction is open: a plan that lacks an answer throws
 * OutsideCallNeeded, its transaction is rolled back, the call is made, and the write runs again (docs/adr/0093).
 */
import type { Clock } from '@merx/telemetry/clock'
import type { Logger } from '@merx/telemetry/logger'
import type { Database } from '../database/database.ts'
import type { NumberSource } from '../database/number-source.ts'
import type { RunStatement } from '../database/run-statement.ts'
import type { Registry } from '../registry.ts'
import type { SecretBox } from '../secret-box.ts'

/** What comes back from the outside; see src/outside/result.ts. */
export type OutsideAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string }

/** What a call works with, outside of any transaction. */
export interface OutsideDeps {
  readonly database: Pick<Database, 'transaction'>
  readonly numbers: NumberSource
  /** On the pool. */
  readonly run: RunStatement
  readonly registry: Registry
  readonly secretBox: Pick<SecretBox, 'derive'>
  readonly clock: Clock
  readonly log: Logger
  readonly post: (call: {
    readonly url: string
    readonly body: string
    readonly secret: string
    readonly headers?: Readonly<Record<string, string>>
  }) => Promise<OutsideAnswer>
}

/** The rows are not those that the call was planned from; the write is planned again. */
export const PLAN_AGAIN = Symbol('plan again')

export interface OutsideCall<Answer> {
  /** The same for the same call: what it is about, and every value that it sends. */
  readonly key: string
  readonly perform: (deps: OutsideDeps) => Promise<Answer | typeof PLAN_AGAIN>
  /** It writes to the row of the write, as that was planned from, and keeps others from it until it is settled. */
  readonly holdsRow?: true
  /** After the write succeeded or was refused: takes back what nobody used. */
  readonly settle?: (answer: Answer, deps: OutsideDeps) => Promise<void>
}

/** The answers of one write so far. */
export type OutsideAnswers = ReadonlyMap<string, unknown>

const ROW_IS_HELD = 'the row is held'

/** Whether the version of the row is that of the write's own calls. */
export const isRowHeld = (answers: OutsideAnswers | undefined): boolean => answers?.has(ROW_IS_HELD) === true

class OutsideCallNeeded extends Error {
  override readonly name = 'OutsideCallNeeded'
  readonly call: OutsideCall<unknown>

  constructor(call: OutsideCall<unknown>) {
    super('a call to the outside is needed where none can be made')
    this.call = call
  }
}

/** The answer to the call; ends the plan when it is not known yet. */
export const askOutside = <Answer>(
  call: OutsideCall<Answer>,
  { answers }: { readonly answers?: OutsideAnswers | undefined },
): Answer => {
  if (answers?.has(call.key) === true) return answers.get(call.key) as Answer
  throw new OutsideCallNeeded(call as OutsideCall<unknown>)
}

/** More than an order has payments to give back and lines to price. */
const CALLS_MAX = 500

/** Runs `act`, which plans in a transaction of its own, as often as it needs another answer. */
export const withOutsideCalls = async <T>(
  deps: OutsideDeps | undefined,
  act: (answers: OutsideAnswers) => Promise<T>,
  beforeCall?: () => Promise<void>,
): Promise<T> => {
  if (deps === undefined) return act(new Map())
  const answers = new Map<string, unknown>()
  const made: OutsideCall<unknown>[] = []
  try {
    for (let left = CALLS_MAX; ; left -= 1) {
      const result = await act(answers).catch((error: unknown) => {
        if (error instanceof OutsideCallNeeded && left > 0) return error
        throw error
      })
      if (!(result instanceof OutsideCallNeeded)) return result
      await beforeCall?.()
      const answer = await result.call.perform(deps)
      if (answer === PLAN_AGAIN) continue
      answers.set(result.call.key, answer)
      if (result.call.holdsRow) answers.set(ROW_IS_HELD, true)
      made.push(result.call)
    }
  } finally {
    // What came last depends on what came before it.
    for (const { key, settle } of made.toReversed()) {
      await settle?.(answers.get(key), deps).catch((error: unknown) =>
        deps.log.error({ err: error }, 'an outside call was not settled; a job does it later'),
      )
    }
  }
}
