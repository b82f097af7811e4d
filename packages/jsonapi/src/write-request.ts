/** The content of a POST or PATCH, as it was sent: checked for shape and permission to write, not yet for values. */

import type { AppError } from '@merx/errors/app-error'
import type { ResourceDefinition } from './define-resource.ts'
import type { Registry } from './registry.ts'
import type { WriteOperation } from './rules.ts'

/** What a write document is read against. */
export interface WriteTarget {
  readonly definition: ResourceDefinition
  readonly registry: Registry
  readonly operation: WriteOperation
  /** The id in the URL, at updates. */
  readonly id?: string
  /** Whether members marked `prohibited` are refused. */
  readonly isSalesChannel: boolean
}

/** Type and public id of a resource a write names. */
export interface Identifier {
  readonly type: string
  readonly id: string
  /** The row, where it was found by something else than its id. */
  readonly number?: number
}

/** A write whose document was understood, before anything was looked up. */
export interface WriteRequest {
  /** Stored attributes by name, JSON values as sent. */
  readonly attributes: ReadonlyMap<string, unknown>
  /** Trigger attributes by name; those sent as false or null are left out. */
  readonly triggers: ReadonlyMap<string, unknown>
  readonly toOne: ReadonlyMap<string, Identifier | null>
  readonly toMany: ReadonlyMap<string, readonly Identifier[]>
  /** What `toMany` does to the sets that are stored; `replace` by default. */
  readonly setChange?: SetChange
}

/** JSON:API 1.1, updating to-many relationships: PATCH replaces a set, POST adds to it, DELETE removes from it. */
export type SetChange = 'replace' | 'add' | 'remove'

/** A document as far as it was understood, and what is wrong with its shape. */
export interface ReadWrite {
  readonly request: WriteRequest
  readonly violations: readonly AppError[]
  /** Relationships that were sent, in a form that says nothing. */
  readonly unreadable: ReadonlySet<string>
  /** Whether values can be judged all the same: the document is for this address, and its parts are objects. */
  readonly isJudgeable: boolean
}

/** Names of all attributes, triggers and relationships that were sent. */
export const sentNames = ({ attributes, triggers, toOne, toMany }: WriteRequest): ReadonlySet<string> => {
  const names = new Set(attributes.keys())
  for (const members of [triggers, toOne, toMany]) for (const name of members.keys()) names.add(name)
  return names
}
