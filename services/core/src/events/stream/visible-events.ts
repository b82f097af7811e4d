/** Events of an environment → those that a token shows: of types its role may read, and of records in its scope. */
import type { Caller } from '@merx/access-token/caller'
import { may } from '../../access/permissions.ts'
import type { RequestScope } from '../../access/request-scope.ts'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import type { Registry } from '../../engine/registry.ts'
import { createParams } from '../../engine/sql/params.ts'
import { selectByNumbers } from '../../engine/sql/select-page.ts'
import type { FollowedEvent } from '../follow-events.ts'
import { STREAMED_TYPE } from './streamed-type.ts'

export interface Viewer {
  /** What requireListener gave. */
  readonly caller: Caller
  readonly scope: RequestScope
  /** Undefined: all. */
  readonly topics: ReadonlySet<string> | undefined
}

export type FindVisible = (
  events: readonly FollowedEvent[],
  viewer: Viewer,
) => Promise<readonly FollowedEvent[]>

/** A token that is narrowed costs a statement, the one of `GET /api/events`; those of the same scope at once share it. */
export const createFindVisible = (registry: Registry, run: RunStatement): FindVisible => {
  const definition = registry.require(STREAMED_TYPE)
  const asked = new Map<string, Promise<ReadonlySet<unknown>>>()

  const select = async (numbers: readonly number[], scope: RequestScope): Promise<ReadonlySet<unknown>> => {
    const build = { registry, scope, params: createParams(scope.environmentId) }
    const rows = await run(selectByNumbers(definition, numbers, build))
    return new Set(rows.map((row) => row['id']))
  }

  const selectOnce = (numbers: readonly number[], scope: RequestScope): Promise<ReadonlySet<unknown>> => {
    const key = JSON.stringify([scope, numbers])
    const found = asked.get(key) ?? select(numbers, scope).finally(() => asked.delete(key))
    asked.set(key, found)
    return found
  }

  return async (events, { caller, scope, topics }) => {
    const wanted = events.filter(
      ({ name, resource_type: type }) =>
        (topics === undefined || topics.has(name)) && may(caller, type, 'retrieve'),
    )
    const { markets, restrictions } = scope
    if (wanted.length === 0 || (markets === undefined && restrictions === undefined)) return wanted
    const numbers = wanted.map(({ id }) => id)
    const seen = await selectOnce(numbers, scope)
    return wanted.filter(({ id }) => seen.has(id))
  }
}
