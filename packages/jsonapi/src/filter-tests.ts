/** A predicate with its value text → what a field must satisfy. */
import { idTypeOf } from './columns.ts'
import { valueKindOfField } from './filter-fields.ts'
import { decodeAmong, parseBoolean, parseJson, parseScalar, toPattern } from './filter-values.ts'
import type { Parsed } from './filter-values.ts'
import { limits } from './limits.ts'
import { splitListValues } from './list-values.ts'
import type { Predicate } from './predicates.ts'
import { isIdShaped } from './public-id.ts'
import type { Field, FieldPath, FilterScalar, FilterTest } from './query.ts'
import type { Registry } from './registry.ts'

/** `expected` of a refusal completes the sentence "… needs". */
export const toFilterTest = (
  predicate: Predicate,
  path: FieldPath,
  text: string,
  registry: Registry,
): Parsed<FilterTest> => {
  const { meaning, quantifier } = predicate
  switch (meaning.kind) {
    case 'null':
    case 'blank': {
      const asked = parseBoolean(text)
      if (!asked.ok) return asked
      const expected = asked.value !== (meaning.isNegated ?? false)
      return { ok: true, value: { kind: meaning.kind, expected } }
    }
    case 'boolean': {
      const asked = parseBoolean(text)
      if (!asked.ok) return asked
      const values = [meaning.expected === asked.value]
      return {
        ok: true,
        value: { kind: 'compare', comparison: 'eq', quantifier: 'any', values, orNull: false },
      }
    }
    case 'containsJson': {
      const json = parseJson(text, valueKindOfField(path.field))
      return json.ok ? { ok: true, value: { kind: 'containsJson', value: json.value } } : json
    }
    case 'like': {
      const texts = splitValues(text, predicate)
      if (!texts.ok) return texts
      const patterns = texts.value.map((value) => toPattern(normalizeFor(path.field, value), meaning.form))
      if (patterns.some(endsInEscape))
        return { ok: false, expected: 'a pattern that does not end in a lone backslash' }
      return {
        ok: true,
        value: { kind: 'like', isNegated: meaning.isNegated ?? false, quantifier, patterns },
      }
    }
    case 'compare': {
      const values = parseValues(text, predicate, path, registry)
      if (!values.ok) return values
      const { comparison, orNull = false } = meaning
      return { ok: true, value: { kind: 'compare', comparison, quantifier, values: values.value, orNull } }
    }
  }
}

/** `filter[code]=a,b`: any of the values; objects and lists by containment. */
export const toEqualityTest = (path: FieldPath, text: string, registry: Registry): Parsed<FilterTest> => {
  const kind = valueKindOfField(path.field)
  const isJson = kind === 'object' || kind === 'list'
  const predicate: Predicate = isJson
    ? { name: '', meaning: { kind: 'containsJson' }, takes: 'json', quantifier: 'any', kinds: [kind] }
    : {
        name: '',
        meaning: { kind: 'compare', comparison: 'eq' },
        takes: 'list',
        quantifier: 'any',
        kinds: [kind],
      }
  return toFilterTest(predicate, path, text, registry)
}

const splitValues = (text: string, { takes }: Predicate): Parsed<readonly string[]> => {
  const values = takes === 'list' ? splitListValues(text) : [text]
  const max = limits.filterValuesMax
  if (values.length <= max) return { ok: true, value: values }
  return { ok: false, expected: `at most ${max} values, ${values.length} were given` }
}

const parseValues = (
  text: string,
  predicate: Predicate,
  path: FieldPath,
  registry: Registry,
): Parsed<readonly FilterScalar[]> => {
  const texts = splitValues(text, predicate)
  if (!texts.ok) return texts
  const values: FilterScalar[] = []
  const isCursor = isOrdering(predicate) && valueKindOfField(path.field) === 'id'
  for (const value of texts.value) {
    // an id of nothing comes before every record, so a text that is none would begin from the first again
    if (isCursor && !isIdShaped(value)) return { ok: false, expected: 'an id, which is ten letters' }
    const scalars = parseField(value, path, registry)
    if (!scalars.ok) return scalars
    values.push(...scalars.value)
  }
  return { ok: true, value: values }
}

/** Texts are looked up in the form in which they are stored. */
const normalizeFor = (field: Field, text: string): string =>
  (field.kind === 'attribute' ? field.attribute.normalize?.(text) : undefined) ?? text

const ORDERINGS = ['gt', 'gteq', 'lt', 'lteq']

const isOrdering = ({ meaning }: Predicate): boolean =>
  meaning.kind === 'compare' && ORDERINGS.includes(meaning.comparison)

const parseField = (
  text: string,
  { field, on }: FieldPath,
  registry: Registry,
): Parsed<readonly FilterScalar[]> => {
  if (field.kind === 'polymorphicKey') {
    const targets = field.relationship.targets.map((type) => registry.require(type))
    return { ok: true, value: decodeAmong(text, targets, registry.ids) }
  }
  const scalar = parseScalar(normalizeFor(field, text), valueKindOfField(field), (id) =>
    registry.ids.decode(idTypeOf(on), id),
  )
  return scalar.ok ? { ok: true, value: [scalar.value] } : scalar
}

const endsInEscape = (pattern: string): boolean => (/\\+$/.exec(pattern)?.[0].length ?? 0) % 2 === 1
