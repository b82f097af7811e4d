/** Values of a JSON schema: mostly as it says, sometimes not. */
import { ODD_TEXTS, ODD_VALUES } from '../../support/odd-values.ts'
import type { Random } from '../../support/random.ts'
import { resolveReference, type OpenApiDocument, type Schema } from './openapi.ts'

const DEPTH_MAX = 8
/** How often a value is not what the schema says. */
const ODD_SHARE = 0.08

const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-03-01T10:00:00Z',
  date: '2026-03-01',
  email: 'ann@example.com',
  uri: 'https://example.com/x',
  uuid: '5f0c9f3e-3a52-4d4b-9f0a-2d5d2f4d9a11',
}

const numberOf = ({ minimum, maximum }: Schema, random: Random): number => {
  const least = typeof minimum === 'number' ? minimum : 0
  const most = typeof maximum === 'number' ? maximum : least + 1_000
  return random.pick([least, most, least + random.below(Math.max(1, Math.min(1_000_000, most - least)))])
}

const textOf = ({ format, minLength, maxLength }: Schema, random: Random): string => {
  const known = typeof format === 'string' ? TEXTS[format] : undefined
  if (known !== undefined) return known
  const least = typeof minLength === 'number' ? minLength : 0
  const most = typeof maxLength === 'number' ? maxLength : 40
  return 'a'.repeat(random.pick([least, Math.min(most, 2_000), Math.min(most, least + random.below(20))]))
}

export const createSchemaValues = (document: OpenApiDocument, random: Random) => {
  const { pick, chance } = random
  const odd = (): unknown => (chance(0.5) ? pick(ODD_VALUES) : pick(ODD_TEXTS))

  const object = (schema: Schema, depth: number): unknown => {
    const properties = (schema['properties'] ?? {}) as Readonly<Record<string, unknown>>
    const required = new Set((schema['required'] ?? []) as readonly string[])
    const entries = Object.entries(properties)
      .filter(([name]) => (required.has(name) ? chance(0.97) : chance(0.5)))
      .map(([name, inner]) => [name, value(inner, depth + 1)])
    return Object.fromEntries(chance(0.04) ? [...entries, [pick(ODD_TEXTS), odd()]] : entries)
  }

  const typed = (schema: Schema, depth: number): unknown => {
    const type = Array.isArray(schema['type']) ? pick(schema['type'] as readonly string[]) : schema['type']
    switch (type) {
      case 'object':
        return object(schema, depth)
      case 'array':
        return Array.from({ length: random.below(4) }, () => value(schema['items'], depth + 1))
      case 'integer':
        return Math.floor(numberOf(schema, random))
      case 'number':
        return numberOf(schema, random) + pick([0, 0.5])
      case 'boolean':
        return chance(0.5)
      case 'null':
        return null
      case 'string':
        return textOf(schema, random)
      default:
        return schema['properties'] === undefined ? odd() : object(schema, depth)
    }
  }

  const value = (unresolved: unknown, depth = 0): unknown => {
    if (depth > DEPTH_MAX || chance(ODD_SHARE)) return odd()
    const schema = resolveReference(document, unresolved)
    if (schema['const'] !== undefined) return schema['const']
    for (const key of ['enum', 'examples']) {
      const list = schema[key]
      if (Array.isArray(list) && list.length > 0 && (key === 'enum' || chance(0.5)))
        return pick(list as unknown[])
    }
    for (const key of ['oneOf', 'anyOf']) {
      const list = schema[key]
      if (Array.isArray(list) && list.length > 0) return value(pick(list as unknown[]), depth)
    }
    const all = schema['allOf']
    if (Array.isArray(all))
      return Object.assign({}, ...all.map((each: unknown) => value(each, depth))) as unknown
    return typed(schema, depth)
  }
  return value
}
