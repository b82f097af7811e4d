/** What is written to lists of SKUs: their slug, and the pattern of a list that is not by hand. */
import type { Rule } from '@merx/jsonapi/rules'

/** `Best sellers, été` → `best-sellers-ete`. Two lists may have the same; letters of any script stay. */
export const slugOf = (name: string): string => {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return letters.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
}

export const slugOfName: Rule = ({ after, sent }) => {
  const { name } = after
  return sent.has('name') && typeof name === 'string' ? { set: { slug: slugOf(name) } } : {}
}

/** What RE2 and PostgreSQL read differently; whatever else PostgreSQL does not read, it refuses itself. */
const FOREIGN = /(?<!\\)(?:\\\\)*(\\[bBzQECpP]|\(\?P?<)/

/** PostgreSQL finds the SKUs of a list among all of them, so a pattern must mean the same to it. */
export const patternOfList: Rule = ({ after }) => {
  const { manual, sku_code_regex: pattern } = after
  const at = { attribute: 'sku_code_regex' }
  const written = typeof pattern === 'string' ? pattern : ''
  if (manual === false && written.trim() === '')
    return { violations: [{ at, error: 'blank', message: "can't be blank while manual is false" }] }
  const [, foreign] = FOREIGN.exec(written) ?? []
  if (foreign === undefined) return {}
  const message = `must do without ${foreign}, which is none of PostgreSQL's regular expressions`
  return { violations: [{ at, error: 'invalid', message, value: pattern }] }
}
