/** Parses a path below `/metrics`: `/<resource>/<kind>` or `/analysis/fbt`. */
import type { Catalogue, Fbt, Resource } from '../catalogue/attribute.ts'
import { kinds, type Kind } from '../request/query.ts'

export interface ExportTarget {
  readonly kind: 'export'
  readonly resource: Resource
}

/** What is answered in one piece. */
export type AnswerTarget =
  | { readonly kind: Exclude<Kind, 'export'>; readonly resource: Resource }
  | { readonly kind: 'fbt'; readonly resource: Resource; readonly fbt: Fbt }

export type Target = AnswerTarget | ExportTarget

/** Undefined for a path that the interface does not have. */
export type FindTarget = (path: string) => Target | undefined

export const createFindTarget =
  (catalogue: Catalogue, fbt: Fbt): FindTarget =>
  (path) => {
    const [, first = '', second, ...rest] = path.split('/')
    if (rest.length > 0) return undefined
    if (first === 'analysis' && second === 'fbt') return { kind: 'fbt', resource: fbt.resource, fbt }
    const resource = catalogue.get(first)
    const kind = kinds.find((known) => known === second)
    if (resource === undefined || kind === undefined) return undefined
    return kind === 'export' ? { kind, resource } : { kind, resource }
  }

/** Name of the burst budget. Unknown paths share one, so that guessing them is limited too. */
export const endpointOf = (target: Target | undefined): string => {
  if (target === undefined) return 'unknown'
  return target.kind === 'fbt' ? 'analysis/fbt' : `${target.resource.name}/${target.kind}`
}

/** The resource type that the caller must be allowed to read; of an unknown path that of orders. */
export const subjectOf = (target: Target | undefined): string => target?.resource.subject ?? 'orders'
