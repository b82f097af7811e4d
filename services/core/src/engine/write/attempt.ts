/** Writes of a job that may be refused: under a savepoint, so that a refusal undoes only them. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { RunStatement } from '../database/run-statement.ts'
import { isRefusal, toWriteError } from './write-errors.ts'

/** Why one item of many is refused: attribute → messages. */
export class ItemRefusal extends Error {
  override readonly name = 'ItemRefusal'
  readonly messages: Readonly<Record<string, readonly string[]>>

  constructor(messages: Readonly<Record<string, readonly string[]>>) {
    super(JSON.stringify(messages))
    this.messages = messages
  }
}

/** Returns why `act` was refused and undone, or undefined. Throws errors that have nothing to do with what it would store. */
export const attempt = async (
  run: RunStatement,
  definition: ResourceDefinition,
  act: () => Promise<unknown>,
): Promise<unknown> => {
  await run({ text: 'SAVEPOINT attempt', values: [] })
  try {
    await act()
    await run({ text: 'RELEASE SAVEPOINT attempt', values: [] })
    return undefined
  } catch (error) {
    if (!isRefusal(error) && !(error instanceof ItemRefusal)) throw error
    await run({ text: 'ROLLBACK TO SAVEPOINT attempt', values: [] })
    return toWriteError(error, definition)
  }
}
