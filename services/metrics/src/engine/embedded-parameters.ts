/**
 * Values of a statement for the embedded engine: `SET param_<name> = '<text>'` before it, on the same connection.
 *
 * chdb can bind values itself, but sends all statements with values of a process one after the other, because what it
 * binds is not kept apart by connection. Settings of a connection (SET) are. The text of a statement stays free of
 * values in both cases, and whatever is in a value stays inside one pair of quotes.
 */
import type { ParamValue } from '../sql/statement.ts'

/** What a text may not hold as it is: the escape itself, and what would end a value (TSV rules of the engine). */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

const escapeText = (text: string): string =>
  text.replace(/[\\\0\b\f\n\r\t]/g, (char) => ESCAPES[char] ?? char)

/** A literal of SQL, and of an item of a list. */
const quote = (text: string): string => `'${escapeText(text).replaceAll("'", "\\'")}'`

/** How the engine reads the value of a parameter of its type. */
const toText = (value: ParamValue): string => {
  if (typeof value === 'string') return escapeText(value)
  if (typeof value !== 'object') return String(value)
  const items = value.map((item: string | number) => (typeof item === 'string' ? quote(item) : String(item)))
  return `[${items.join(',')}]`
}

const NAME = /^[a-z]\w*$/

/** One statement; undefined when there is nothing to set. Throws an Error for a name that is no plain word. */
export const renderSetParameters = (params: Readonly<Record<string, ParamValue>>): string | undefined => {
  const assignments = Object.entries(params).map(([name, value]) => {
    if (!NAME.test(name)) throw new Error(`"${name}" is not the name of a parameter`)
    return `param_${name} = ${quote(toText(value))}`
  })
  return assignments.length === 0 ? undefined : `SET ${assignments.join(', ')}`
}
