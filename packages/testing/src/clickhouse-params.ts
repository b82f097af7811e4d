/** `param_<name>` of a request to ClickHouse → values for `{name:Type}`, which chdb escapes again. */

/** @throws Error for a list that is not of texts or numbers. */
export const fromWireParams = (sql: string, params: URLSearchParams): Record<string, unknown> =>
  Object.fromEntries(
    [...params]
      .filter(([key]) => key.startsWith('param_'))
      .map(([key, value]) => {
        const name = key.slice('param_'.length)
        return [name, isList(sql, name) ? parseList(value) : unescape(value)]
      }),
  )

const isList = (sql: string, name: string): boolean => new RegExp(`\\{\\s*${name}\\s*:\\s*Array\\(`).test(sql)

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '0': '\0' }

/** Of the TabSeparated format: a backslash and a letter, or the character itself. */
const unescape = (value: string): string =>
  value === '\\N' ? value : value.replaceAll(/\\(.)/gs, (_match, letter: string) => ESCAPES[letter] ?? letter)

const ITEM = /\s*(?:'((?:[^'\\]|\\.|'')*)'|(-?[\d.]+(?:e[+-]?\d+)?))\s*(,|\])/giy

/** `['a','b\'c']` or `[1,2]`. */
const parseList = (value: string): unknown[] => {
  if (/^\[\s*\]$/.test(value)) return []
  const items: unknown[] = []
  ITEM.lastIndex = value.startsWith('[') ? 1 : value.length
  for (;;) {
    const match = ITEM.exec(value)
    if (match === null) throw new Error(`a list parameter cannot be read at ${items.length}`)
    const [, quoted, number, end] = match
    items.push(quoted === undefined ? Number(number) : unescape(quoted.replaceAll("''", "'")))
    if (end === ']') return items
  }
}
