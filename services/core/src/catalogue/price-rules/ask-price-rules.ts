/** Asks rules about prices for somebody: the customer, markets and stock locations that `price.jwt_…` lead to. */
import type { RenderContext } from '@merx/jsonapi/attributes'
import { parseRetrieveQuery } from '@merx/jsonapi/parse-query'
import type { IncludeTree } from '@merx/jsonapi/query'
import { renderSingle } from '@merx/jsonapi/render-document'
import type { OfToken } from '../../access/of-token.ts'
import type { RequestScope } from '../../access/request-scope.ts'
import { tokenBound } from '../../definitions/shared-relationships.ts'
import type { RunStatement } from '../../engine/database/run-statement.ts'
import { readIncludes } from '../../engine/read/read-includes.ts'
import type { Reading } from '../../engine/read/read-includes.ts'
import { createRecords } from '../../engine/read/records.ts'
import type { OpenRecord } from '../../engine/read/records.ts'
import type { Registry } from '../../engine/registry.ts'
import { createParams } from '../../engine/sql/params.ts'
import { selectByNumbers } from '../../engine/sql/select-page.ts'
import { askRules } from '../../rules-engine/ask-rules.ts'
import { askedTree } from '../../rules-engine/asked-tree.ts'
import type { Looked } from '../../rules-engine/asked-tree.ts'
import { toTree } from '../../rules-engine/document-tree.ts'
import type { Json } from '../../rules-engine/facts.ts'
import { outcomeView } from '../../rules-engine/outcome-view.ts'
import { pathsOfRules, wayOf } from '../../rules-engine/paths.ts'
import { parseRules } from '../../rules-engine/rules-schema.ts'
import type { RulesDocument } from '../../rules-engine/rules.ts'
import { applyActions } from './apply-actions.ts'
import type { PriceAmounts } from './apply-actions.ts'

export interface RuledPrice extends PriceAmounts {
  readonly rule_outcomes: ReturnType<typeof outcomeView>
  /** What the rules were asked about. */
  readonly resource_payload: Json
}

interface AskDeps {
  readonly run: RunStatement
  readonly registry: Registry
  readonly scope: Pick<RequestScope, 'environmentId' | 'organizationId' | 'mode'>
  readonly now: Date
}

/**
 * Price → what it comes to under its documents (`rulesInForce`). Documents of before a stricter check are left out. Throws
 * AppError `validation_error` when they look at too many values.
 */
export const askPriceRules = async (
  documents: ReadonlyMap<number, readonly unknown[]>,
  asker: OfToken,
  deps: AskDeps,
): Promise<ReadonlyMap<number, RuledPrice>> => {
  const parsed = new Map([...documents].map(([price, all]) => [price, all.flatMap(toRules)]))
  const ruled = [...parsed].filter(([, all]) => all.length > 0)
  if (ruled.length === 0) return new Map()
  const paths = new Set(ruled.flatMap(([, all]) => all.flatMap(pathsOfRules)))
  const ways = [...paths].map((path) => wayOf(path, 'price', deps.registry))
  const includes = [...new Set(ways.flatMap(({ include }) => (include === '' ? [] : [include])))]
  const trees = await readTrees(
    ruled.map(([price]) => price),
    includes,
    asker,
    deps,
  )
  const looked: Looked = { values: 0 }
  return new Map(
    ruled.flatMap(([price, all]) => {
      const found = trees.get(price)
      return found === undefined ? [] : [[price, askAbout(found, all, deps.now, looked)] as const]
    }),
  )
}

const toRules = (document: unknown): readonly RulesDocument[] => {
  const result = parseRules(document, 'price')
  return result.ok ? [result.value] : []
}

interface PriceTree {
  readonly amounts: PriceAmounts
  readonly root: { readonly price: Json }
}

/** The rules of one document are asked about the price as stored; their actions work on what earlier documents left. */
const askAbout = (
  { amounts, root }: PriceTree,
  documents: readonly RulesDocument[],
  now: Date,
  looked: Looked,
): RuledPrice => {
  const outcomes = documents.flatMap((document) => askRules(document, askedTree(root, now, looked)))
  return {
    ...applyActions(outcomes, amounts),
    rule_outcomes: outcomeView(outcomes),
    resource_payload: root,
  }
}

/** All of the environment may be asked about, whatever the scope of the request. */
const readTrees = async (
  prices: readonly number[],
  includes: readonly string[],
  asker: OfToken,
  { run, registry, scope }: AskDeps,
): Promise<ReadonlyMap<number, PriceTree>> => {
  const { environmentId, organizationId, mode } = scope
  const records = createRecords(registry, environmentId)
  const whole = { environmentId, organizationId, mode }
  const reading: Reading = { run, registry, scope: whole, records, mayRead: () => true }
  const found = await readRecords('prices', prices, reading)
  const definition = registry.require('prices')
  const raw = includes.length === 0 ? '' : `include=${encodeURIComponent(includes.join(','))}`
  const query = parseRetrieveQuery(raw, definition, registry)
  await linkAsker(found, query.include, asker, reading)
  await readIncludes(found, withoutAsker(query.include), reading)
  const context: RenderContext = { mode, organizationId, baseUrl: '', isConfidential: false }
  return new Map(
    found.map((record) => [
      record.number,
      {
        amounts: amountsOf(record),
        root: { price: toTree(renderSingle(record, context, query), includes) },
      },
    ]),
  )
}

const readRecords = async (
  type: string,
  numbers: readonly number[],
  { run, registry, scope, records }: Reading,
): Promise<readonly OpenRecord[]> => {
  if (numbers.length === 0) return []
  const definition = registry.require(type)
  const build = { registry, scope, params: createParams(scope.environmentId) }
  const rows = await run(selectByNumbers(definition, numbers, build))
  return rows.map((row) => records.of(definition, row))
}

const askedNames = Object.keys(tokenBound) as (keyof typeof tokenBound)[]

const linkAsker = async (
  prices: readonly OpenRecord[],
  tree: IncludeTree,
  asker: OfToken,
  reading: Reading,
): Promise<void> => {
  for (const name of askedNames) {
    const below = tree[name]
    if (below === undefined) continue
    const { target, kind } = tokenBound[name]
    const found = await readRecords(target, asker[name], reading)
    for (const price of prices) price.linked.set(name, kind === 'toMany' ? found : (found[0] ?? null))
    await readIncludes(found, below, reading)
  }
}

const withoutAsker = (tree: IncludeTree): IncludeTree =>
  Object.fromEntries(Object.entries(tree).filter(([name]) => !Object.hasOwn(tokenBound, name)))

const amountsOf = ({ row }: OpenRecord): PriceAmounts => {
  const { amount_cents: amount, compare_at_amount_cents: compareAt } = row
  if (typeof amount !== 'number') throw new TypeError('a price has no amount')
  return { amount_cents: amount, compare_at_amount_cents: typeof compareAt === 'number' ? compareAt : null }
}
