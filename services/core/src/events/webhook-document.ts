/**
 * What webhooks are told: the resource as GET shows it, with the includes of the webhook and links without a host. Read in one
 * snapshot after the event committed, so a body never shows what was rolled back. What is gone is its id and nulls.
 */
import { companionsOf } from '@merx/jsonapi/attributes'
import type { RenderContext } from '@merx/jsonapi/attributes'
import { idTypeOf } from '@merx/jsonapi/columns'
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { IncludeTree } from '@merx/jsonapi/query'
import { renderSingle } from '@merx/jsonapi/render-document'
import { linkTo } from '@merx/jsonapi/render-resource'
import type { Logger } from '@merx/telemetry/logger'
import type { Database } from '../engine/database/database.ts'
import { runIn } from '../engine/database/run-statement.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'
import { isStoreUnavailable } from '../engine/database/store-errors.ts'
import { completeRecords } from '../engine/read/read-one.ts'
import { createRecords } from '../engine/read/records.ts'
import type { Registry } from '../engine/registry.ts'
import type { SecretBox } from '../engine/secret-box.ts'
import { createParams } from '../engine/sql/params.ts'
import { selectByNumbers } from '../engine/sql/select-page.ts'
import type { DueDelivery } from './take-deliveries.ts'
import { includeTreeOf, typeOfTopic } from './webhook-workflow.ts'

export interface DocumentDeps {
  readonly database: Pick<Database, 'transaction'>
  readonly registry: Registry
  readonly secretBox: Pick<SecretBox, 'open'>
  readonly log: Logger
}

/** Delivery id → body, compact JSON; null when it could not be made, which is logged. */
export const renderBodies = async (
  deliveries: readonly DueDelivery[],
  deps: DocumentDeps,
): Promise<ReadonlyMap<number, string | null>> => {
  const groups = Map.groupBy(deliveries, ({ environment_id, webhook_id, topic, resource_type }) =>
    [environment_id, webhook_id, topic, resource_type].join(),
  )
  const bodies = new Map<number, string | null>()
  for (const group of groups.values())
    for (const [id, body] of await renderOrLog(group, deps)) bodies.set(id, body)
  return bodies
}

/** What one webhook includes must not keep others waiting. A database that is unavailable throws: it is tried again. */
const renderOrLog = async (
  group: readonly DueDelivery[],
  deps: DocumentDeps,
): Promise<readonly (readonly [number, string | null])[]> => {
  const { database, log } = deps
  try {
    return await database.transaction((snapshot) => renderGroup(group, runIn(snapshot), deps), {
      isReadOnlySnapshot: true,
    })
  } catch (error) {
    if (isStoreUnavailable(error)) throw error
    log.error({ err: error, webhook: group[0]?.webhook_id }, 'the document of a webhook could not be made')
    return group.map(({ id }) => [id, null])
  }
}

/** Of one webhook, topic and type. */
const renderGroup = async (
  group: readonly DueDelivery[],
  run: RunStatement,
  { registry, secretBox }: DocumentDeps,
): Promise<readonly (readonly [number, string])[]> => {
  const [first] = group
  if (first === undefined) return []
  const definition = registry.require(first.resource_type)
  const { environment_id: environmentId, organization_id: organizationId, mode } = first
  const render: RenderContext = {
    mode,
    organizationId,
    baseUrl: '',
    isConfidential: true,
    // What a mail program needs, such as the token of a password reset; secrets that calls are signed with are left out.
    openSecret: (sealed) => (typeof sealed === 'string' ? String(secretBox.open(sealed)) : null),
  }
  const isGone = first.topic.endsWith('.destroy')
  const include = isGone ? {} : includesOf(first, registry)
  const reading = {
    run,
    registry,
    scope: { environmentId, organizationId, mode },
    records: createRecords(registry, environmentId),
    mayRead: () => true,
  }
  const numbers = isGone ? [] : [...new Set(group.map(({ record_id: number }) => number))]
  const build = { registry, scope: reading.scope, params: createParams(environmentId) }
  const rows = numbers.length === 0 ? [] : await run(selectByNumbers(definition, numbers, build))
  const found = rows.map((row) => reading.records.of(definition, row))
  const hasIncludes = Object.keys(include).length > 0
  await completeRecords(found, { include, fields: new Map(), hasIncludes }, reading)
  const texts = new Map(
    found.map((record) => [
      record.number,
      JSON.stringify(renderSingle(record, render, { fields: new Map(), hasIncludes })),
    ]),
  )
  return group.map(({ id, record_id: number }) => [
    id,
    texts.get(number) ?? JSON.stringify(goneDocument(definition, number, render, registry)),
  ])
}

const includesOf = ({ topic, include_resources: paths }: DueDelivery, registry: Registry): IncludeTree => {
  const tree = includeTreeOf(paths ?? [], typeOfTopic(topic), registry)
  return topic.endsWith('.tagged') ? { tags: {}, ...tree } : tree
}

/** Only the id has a value (core-conventions.md 11.2). */
const goneDocument = (
  definition: ResourceDefinition,
  number: number,
  render: RenderContext,
  registry: Registry,
) => {
  const id = registry.ids.encode(idTypeOf(definition), number)
  const shown = Object.entries(definition.attributes).filter(([, { show }]) => show !== 'never')
  const names = shown.flatMap(([name, { kind }]) =>
    kind === 'cents' ? [name, ...Object.values(companionsOf(name))] : [name],
  )
  const links = {
    self: linkTo({ definition, id, row: {}, linked: new Map(), loaded: new Map() }, render),
  }
  return {
    data: {
      id,
      type: definition.type,
      links,
      attributes: Object.fromEntries(names.map((name) => [name, null])),
      relationships: Object.fromEntries(
        Object.entries(definition.relationships).map(([name, { kind }]) => [
          name,
          { data: kind === 'toMany' ? [] : null },
        ]),
      ),
      meta: { mode: render.mode, organization_id: render.organizationId },
    },
  }
}
