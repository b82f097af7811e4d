/** Where a singleton, a resource without an id in its address, comes from. */
import type { Caller } from '@merx/access-token/caller'
import type { Row } from '@merx/jsonapi/attributes'
import type { Reading } from './read-includes.ts'

/** Returns the row and its public id; auth issues the ids of organizations and applications. */
export type SingletonSource = (request: {
  readonly caller: Caller
  readonly reading: Reading
}) => Promise<{ readonly id: string; readonly row: Row }>
