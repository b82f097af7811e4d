/** A resource as a document for the outside: as GET renders it, with includes, links without a host, and no secrets. */
import type { RenderContext, Row } from '@merx/jsonapi/attributes'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { includeProblem } from '@merx/jsonapi/parse-include'
import { parseRetrieveQuery } from '@merx/jsonapi/parse-query'
import { renderSingle } from '@merx/jsonapi/render-document'
import type { SingleDocument } from '@merx/jsonapi/render-document'
import type { RequestScope } from '../access/request-scope.ts'
import type { RowOf } from '../engine/database/rows.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'
import { readIncludes } from '../engine/read/read-includes.ts'
import { completeRecord, findRecord } from '../engine/read/read-one.ts'
import { createRecords } from '../engine/read/records.ts'
import type { Registry } from '../engine/registry.ts'

/** The paths of a column `external_includes`. */
export const pathsOf = (includes: unknown): readonly string[] =>
  Array.isArray(includes) ? includes.filter((path) => typeof path === 'string') : []

export interface OutsideSubject {
  readonly definition: ResourceDefinition
  readonly number: number
  /** The row as it will be, where it is not the stored one. */
  readonly row?: Row
  /** It is not stored yet: the document has no id and no links. */
  readonly isNew?: boolean
  /** The rows of a relationship as they will be. */
  readonly rows?: { readonly relationship: string; readonly type: string; readonly rows: readonly Row[] }
  readonly environmentId: number
  /** Paths; those that the type does not have are left out. */
  readonly includes: readonly string[]
  /** Attributes with a leading underscore: what the document is for. */
  readonly triggers: Readonly<Record<string, unknown>>
}

interface ReadingDeps {
  readonly run: RunStatement
  readonly registry: Registry
}

/** Undefined when there is no such row. */
export const outsideDocument = async (
  { definition, number, row, isNew = false, rows, environmentId, includes, triggers }: OutsideSubject,
  { run, registry }: ReadingDeps,
): Promise<SingleDocument | undefined> => {
  const scope = await scopeOf(environmentId, run)
  const records = createRecords(registry, environmentId)
  const reading = { run, registry, scope, records, mayRead: () => true }
  const planned = (each: Row) => ({ ...each, environment_id: environmentId })
  // Known before anything is read, so that a planned row stands in for the stored one.
  const many = rows?.rows.map((each) => records.of(registry.require(rows.type), planned(each)))
  const record =
    row === undefined
      ? await findRecord(definition, number, reading)
      : records.of(definition, planned({ ...row, id: number }))
  if (record === undefined) return undefined
  const query = parseRetrieveQuery(includeQuery(includes, definition, registry), definition, registry)
  await completeRecord(record, query, reading)
  const branch = rows === undefined ? undefined : query.include[rows.relationship]
  if (rows !== undefined && many !== undefined && branch !== undefined) {
    record.linked.set(rows.relationship, many)
    await readIncludes(many, branch, reading)
  }
  const document = renderSingle(record, renderContextOf(scope), query)
  if (document.data !== null) {
    Object.assign(document.data.attributes, triggers)
    if (isNew) Object.assign(document.data, { id: null, links: {} })
  }
  return document
}

/** All of an environment, for what the service does by itself. */
export const scopeOf = async (environmentId: number, run: RunStatement): Promise<RequestScope> => {
  const text = 'SELECT organization_id, mode FROM environments WHERE id = $1'
  const [row] = await run<Pick<RowOf<'Environment'>, 'organization_id' | 'mode'>>({
    text,
    values: [environmentId],
  })
  if (row === undefined) throw new Error(`there is no environment ${environmentId}`)
  return {
    environmentId,
    organizationId: row.organization_id,
    mode: row.mode === 'live' ? 'live' : 'test',
  }
}

/** Links begin with the path, because the outside knows where it got the document from. */
const renderContextOf = ({ mode, organizationId }: RequestScope): RenderContext => ({
  mode,
  organizationId,
  baseUrl: '',
  isConfidential: false,
})

const includeQuery = (
  includes: readonly string[],
  definition: ResourceDefinition,
  registry: Registry,
): string => {
  const known = includes.filter((path) => includeProblem(path, definition, registry) === undefined)
  return known.length === 0 ? '' : `include=${encodeURIComponent(known.join(','))}`
}
