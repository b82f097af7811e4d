/** A record as a search shows it, and as a line of an export: what of its view the asked paths name. */
import { isFixed, type OracleInput } from './oracle-checks.ts'
import { toNumber } from './oracle-measure.ts'
import type { Value, View } from './oracle-view.ts'

type Path = readonly string[]

const shown = (value: Value): unknown => {
  if (value === null || (Array.isArray(value) && value.length === 0)) return undefined
  if (value instanceof Date) return value.toISOString()
  return isFixed(value) ? toNumber(value) : value
}

const pick = (view: unknown, paths: readonly Path[]): Readonly<Record<string, unknown>> | undefined => {
  const entries = [...new Set(paths.map(([key]) => key ?? ''))].flatMap((key) => {
    const rests = paths.filter(([first]) => first === key).map(([, ...rest]) => rest)
    const inner = (view as View)[key] ?? null
    const found = rests.some(({ length }) => length === 0) ? shown(inner as Value) : pickAll(inner, rests)
    return found === undefined ? [] : [[key, found] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

const pickAll = (view: unknown, paths: readonly Path[]): unknown => {
  if (view === null) return undefined
  if (!Array.isArray(view)) return pick(view, paths)
  const items = view.flatMap((item) => pick(item, paths) ?? [])
  return items.length === 0 ? undefined : items
}

/** `entity.*` names what is directly of the entity. */
const expand = (fields: readonly string[], known: readonly string[]): readonly string[] =>
  fields.flatMap((field) =>
    field.endsWith('.*')
      ? known.filter((path) => path.slice(0, path.lastIndexOf('.')) === field.slice(0, -2))
      : [field],
  )

/** Nested by entity, without what has no value. */
export const recordOf = (
  view: View,
  { record, searchable }: Pick<OracleInput, 'record' | 'searchable'>,
  fields: readonly string[],
): Readonly<Record<string, unknown>> => {
  const paths = expand(fields, searchable).map((path) => path.split('.'))
  const own = paths.filter(([entity]) => entity === record).map(([, ...rest]) => rest)
  const others = paths.filter(([entity]) => entity !== record)
  const found = { ...pick(view[record], [['id'], ...own]), ...pick(view, others) }
  const { market } = found as { readonly market?: { readonly number?: number } }
  // The number of a market is shown as text (metrics.md 7).
  return market?.number === undefined
    ? found
    : { ...found, market: { ...market, number: String(market.number) } }
}

const cellOf = (value: Value | readonly Value[] | undefined): string => {
  if (Array.isArray(value)) return value.map((item) => cellOf(item as Value)).join(',')
  if (value instanceof Date) return value.toISOString()
  if (isFixed(value)) return String(toNumber(value))
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : ''
}

const valueAt = (view: unknown, path: Path): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return view
  if (Array.isArray(view)) return view.map((item) => valueAt(item, path))
  return view === null || view === undefined ? null : valueAt((view as View)[key], rest)
}

/** The cells of an export, its header first. */
export const linesOf = (
  views: readonly View[],
  { exportable }: Pick<OracleInput, 'exportable'>,
  fields: readonly string[],
): readonly (readonly string[])[] => {
  const paths = [...new Set(expand(fields, exportable))]
  return [paths, ...views.map((view) => paths.map((path) => cellOf(valueAt(view, path.split('.')) as Value)))]
}

/** RFC 4180, read apart from the service's own writing. */
export const parseCsv = (text: string): readonly (readonly string[])[] => {
  const lines: string[][] = []
  let line: string[] = []
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const [char = '', next] = text.slice(at, at + 2)
    if (char === '"' && isQuoted && next === '"') {
      cell += char
      at += 1
    } else if (char === '"') isQuoted = !isQuoted
    else if (isQuoted || ![',', '\r'].includes(char)) cell += char
    else {
      line.push(cell)
      cell = ''
      if (char === ',') continue
      lines.push(line)
      line = []
      at += 1
    }
  }
  return lines
}
