/** Generated requests to the core interface: real addresses, names and ids, mixed with wrong ones. */
import type { FuzzRequest } from './fuzz-request.ts'
import { ODD_MEDIA_TYPES, ODD_TEXTS, ODD_VALUES } from './odd-values.ts'
import type { Random } from './random.ts'
import type { ResourceObject } from './wire.ts'

/** What the fuzzer knows of a type, learnt from the system's own answers. */
export interface KnownType {
  readonly type: string
  readonly ids: readonly string[]
  readonly attributes: readonly string[]
  readonly relationships: readonly string[]
  readonly samples: readonly ResourceObject[]
}

const PREDICATES = (
  'eq eq_or_null not_eq not_eq_or_null not_eq_all matches does_not_match matches_any matches_all ' +
  'does_not_match_any does_not_match_all lt lteq gt gteq lt_any lteq_any gt_any gteq_any lt_all lteq_all gt_all ' +
  'gteq_all present blank null not_null in not_in in_or_null not_in_or_null start not_start start_any start_all ' +
  'not_start_any not_start_all end not_end end_any end_all not_end_any not_end_all cont not_cont cont_any cont_all ' +
  'not_cont_any not_cont_all i_cont not_i_cont i_cont_any i_cont_all not_i_cont_any not_i_cont_all jcont true false ' +
  'nothing'
).split(' ')

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

export const createCoreFuzz = (random: Random, types: readonly KnownType[], tokens: readonly string[]) => {
  const { pick, chance, many } = random
  const name = (known: KnownType): string => {
    if (chance(0.1)) return pick(ODD_TEXTS)
    return pick([...known.attributes, 'id', ...(chance(0.4) ? known.relationships : [])])
  }
  const below = (known: KnownType, depth: number): string =>
    known.relationships.length === 0
      ? 'nothing'
      : Array.from({ length: depth }, (_, index) =>
          pick(index === 0 ? known.relationships : pick(types).relationships.concat('nothing')),
        ).join('.')
  const id = (known: KnownType): string =>
    chance(0.6) && known.ids.length > 0
      ? pick(known.ids)
      : chance(0.5)
        ? (pick(pick(types).ids.concat('AAAAAAAAAA')) ?? '')
        : pick(ODD_TEXTS)

  const value = (known: KnownType): string => {
    if (chance(0.5)) return pick(ODD_TEXTS)
    const sample = known.samples.length > 0 ? pick(Object.values(pick(known.samples).attributes)) : null
    const text = typeof sample === 'string' ? sample : JSON.stringify(sample ?? null)
    return chance(0.3) ? `${text},${pick(ODD_TEXTS)}` : text
  }

  const filter = (known: KnownType): string => {
    const path = chance(0.3) ? `${below(known, 1)}_${name(pick(types))}` : name(known)
    const both = chance(0.15) ? `${path}_or_${name(known)}` : path
    const brackets = chance(0.05) ? pick(['[q][', '[q', '[q]][', '[', '[q][q][']) : '[q]['
    const key = chance(0.15)
      ? `filter[${chance(0.3) ? 'ids' : name(known)}]`
      : `filter${brackets}${both}_${pick(PREDICATES)}]`
    return `${encode(key)}=${encode(value(known))}`
  }

  const parameter = (known: KnownType): string => {
    switch (random.below(8)) {
      case 0:
      case 1:
      case 2:
        return filter(known)
      case 3: {
        const fields = many(1, 3, () => (chance(0.3) ? '-' : '') + name(known))
        return `sort=${encode(fields.join(','))}`
      }
      case 4:
        return `include=${encode(many(1, 3, () => below(known, 1 + random.below(4))).join(','))}`
      case 5:
        return `${encode(`fields[${pick(types).type}]`)}=${encode(many(1, 3, () => name(known)).join(','))}`
      case 6:
        return `${encode(`page[${pick(['number', 'size', 'number', 'size', 'after', '', 'x'])}]`)}=${encode(pick(['1', '2', '25', ...ODD_TEXTS]))}`
      default:
        return chance(0.5)
          ? `${encode(pick(ODD_TEXTS))}=${encode(pick(ODD_TEXTS))}`
          : pick([
              'filter=x',
              'page=1',
              'fields=x',
              'sort',
              'include',
              '&&&',
              '=',
              '%',
              '%zz',
              'a[b',
              'sort[]=id',
              'include[a]=b',
            ])
    }
  }

  const linkage = (): unknown => {
    if (chance(0.3)) return pick(ODD_VALUES)
    const known = pick(types)
    const one = { type: known.type, id: id(known) }
    return { data: chance(0.2) ? [one, one] : chance(0.1) ? null : one }
  }

  const document = (known: KnownType): unknown => {
    if (chance(0.07)) return pick(ODD_VALUES)
    const attributes = Object.fromEntries(
      many(0, 4, () => [
        chance(0.1) ? pick(ODD_TEXTS) : pick([...known.attributes, 'x']),
        chance(0.5) && known.samples.length > 0
          ? pick(Object.values(pick(known.samples).attributes))
          : pick(ODD_VALUES),
      ]),
    )
    const whole =
      chance(0.4) && known.samples.length > 0
        ? { ...pick(known.samples).attributes, ...attributes }
        : attributes
    const relationships = Object.fromEntries(
      many(0, 3, () => [chance(0.9) ? pick(known.relationships.concat('x')) : pick(ODD_TEXTS), linkage()]),
    )
    return {
      data: {
        type: chance(0.9) ? known.type : pick(ODD_VALUES),
        ...(chance(0.4) ? { id: chance(0.9) ? id(known) : pick(ODD_VALUES) } : {}),
        attributes: chance(0.95) ? whole : pick(ODD_VALUES),
        relationships: chance(0.95) ? relationships : pick(ODD_VALUES),
      },
    }
  }

  const text = (known: KnownType): string | Buffer => {
    const json = JSON.stringify(document(known))
    switch (random.below(20)) {
      case 0:
        return json.slice(0, random.below(json.length + 1))
      case 1:
        return Buffer.from(json, 'utf16le')
      case 2:
        return `\ufeff${json}`
      case 3:
        return Buffer.concat([Buffer.from(json.slice(0, -2)), Buffer.from([0xff, 0xfe])])
      case 4:
        return `${'['.repeat(2_000)}${']'.repeat(2_000)}`
      case 5:
        return `{"data":${json},"data":${json},"__proto__":{"a":1}}`
      default:
        return json
    }
  }

  const path = (known: KnownType): string => {
    const type = chance(0.95) ? known.type : pick(ODD_TEXTS)
    const parts = [type]
    if (chance(0.6)) {
      parts.push(id(known))
      if (chance(0.4)) {
        if (chance(0.3)) parts.push('relationships')
        parts.push(chance(0.9) ? pick(known.relationships.concat('x')) : pick(ODD_TEXTS))
      }
    }
    const joined = `/${parts.map(encode).join(chance(0.03) ? '//' : '/')}${chance(0.05) ? '/' : ''}`
    const query = many(0, chance(0.3) ? 4 : 1, () => parameter(known))
    return query.length === 0 ? joined : `${joined}?${query.join('&')}`
  }

  return (): FuzzRequest => {
    const known = pick(types)
    const method = pick([
      'GET',
      'GET',
      'GET',
      'GET',
      'GET',
      'GET',
      'POST',
      'PATCH',
      chance(0.3) ? 'DELETE' : pick(['HEAD', 'OPTIONS', 'PUT']),
    ])
    const hasBody = method === 'POST' || method === 'PATCH' || chance(0.03)
    return {
      method,
      path: path(known),
      headers: {
        Authorization: chance(0.95)
          ? `Bearer ${pick(tokens)}`
          : pick(['', 'Bearer', 'bearer x', 'Basic a', `Bearer ${'x'.repeat(3_000)}`]),
        Accept: chance(0.93) ? 'application/vnd.api+json' : pick(ODD_MEDIA_TYPES),
        ...(hasBody
          ? { 'Content-Type': chance(0.95) ? 'application/vnd.api+json' : pick(ODD_MEDIA_TYPES) }
          : {}),
        ...(chance(0.02) ? { 'Content-Encoding': pick(['gzip', 'br', 'x']) } : {}),
        ...(chance(0.02) ? { 'X-Request-Id': pick(['x', '"', 'A'.repeat(500)]) } : {}),
      },
      ...(hasBody ? { body: text(known) } : {}),
    }
  }
}
