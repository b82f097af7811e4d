/**
 * What a path such as `order.line_items.sku.code` leads to in an order that is written as nested JSON: a value for each way
 * there, with the objects that were passed.
 */

export type Json = Readonly<Record<string, unknown>>

export interface Fact {
  /** Null where the way ends before the path does. */
  readonly value: unknown
  /** The objects on the way, the outermost first. */
  readonly chain: readonly Json[]
}

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The way of a fact is kept to where `within` has been there: of these lines, not of all. */
export const factsAt = (root: Json, path: string, within: readonly Json[] = []): readonly Fact[] => {
  let facts: readonly Fact[] = [{ value: root, chain: [] }]
  for (const name of path.split('.')) facts = facts.flatMap((fact) => stepInto(fact, name, within))
  return facts
}

const stepInto = ({ value, chain }: Fact, name: string, within: readonly Json[]): readonly Fact[] => {
  if (!isJson(value)) return [{ value: null, chain }]
  const next = Object.hasOwn(value, name) ? value[name] : null
  if (!Array.isArray(next)) return [passing(next ?? null, chain)]
  const pinned = within.find((node) => next.includes(node))
  return (pinned === undefined ? next : [pinned]).map((one: unknown) => passing(one, chain))
}

const passing = (value: unknown, chain: readonly Json[]): Fact => ({
  value,
  chain: isJson(value) ? [...chain, value] : chain,
})
