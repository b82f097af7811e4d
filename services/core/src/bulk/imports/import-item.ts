/** An item of an import as it was read: what to write, and what was wrong with it. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Identifier } from '@merx/jsonapi/write-request'
import type { Messages } from '../../engine/write/error-messages.ts'

export type Item = Readonly<Record<string, unknown>>

/** A relationship whose targets are named by an attribute of theirs. */
export interface NamedTargets {
  readonly relationship: string
  readonly target: ResourceDefinition
  readonly attribute: string
  readonly values: readonly string[]
  /** Whether somebody else says so when there is none. */
  readonly mayBeMissing?: boolean
  /** As an export included them: what is not there is left out with a warning. */
  readonly isIncluded?: true
}

export interface ImportItem {
  readonly id: string | undefined
  readonly attributes: Map<string, unknown>
  readonly triggers: Map<string, unknown>
  readonly toOne: Map<string, Identifier | null>
  readonly toMany: Map<string, readonly Identifier[]>
  readonly named: readonly NamedTargets[]
  /** Relationship → items that are written with this one. */
  readonly nested: Map<string, readonly Item[]>
  readonly errors: Messages
  readonly warnings: Messages
}
