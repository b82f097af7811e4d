/** Validated items → stored rows: all together, or one by one when the database refuses them together. */
import { AppError, AppErrors } from '@merx/errors/app-error'
import { attempt } from '../../engine/write/attempt.ts'
import { persist } from '../../engine/write/persist.ts'
import type { RowWrite } from '../../engine/write/persist.ts'
import type { ImportTarget } from './import-target.ts'

/** Why each write was refused, or undefined; in the order of the writes. */
export const persistItems = async (
  writes: readonly RowWrite[],
  { definition, registry, scope, run, who }: ImportTarget,
): Promise<readonly (string | undefined)[]> => {
  const context = { run, registry, environmentId: scope.environmentId, actor: who, returning: [] }
  const refusalOf = async (some: readonly RowWrite[]): Promise<string | undefined> => {
    const refusal = await attempt(run, definition, () => persist(some, context))
    return refusal === undefined ? undefined : textOf(refusal)
  }
  if (writes.length === 0 || (await refusalOf(writes)) === undefined) return writes.map(() => undefined)
  const refusals: (string | undefined)[] = []
  for (const write of writes) refusals.push(await refusalOf([write]))
  return refusals
}

const textOf = (error: unknown): string => {
  if (error instanceof AppErrors) return error.errors.map(textOf).join('; ')
  if (error instanceof AppError) return error.detail ?? error.code
  throw error
}
