/** SQL text with its values apart from it. */

export type ParamValue = string | number | boolean | readonly string[] | readonly number[]

/** `text` names each value as `{p0:String}`; values never appear in it. */
export interface Statement {
  readonly text: string
  readonly params: Readonly<Record<string, ParamValue>>
}

/** Types that a value may travel as. */
export type ParamType =
  | 'String'
  | 'Bool'
  | 'UInt32'
  | 'Int64'
  | 'Decimal(18, 4)'
  | 'Decimal(38, 8)'
  | "DateTime64(3, 'UTC')"
  | 'Array(String)'
  | 'Array(Int64)'
  | "Array(DateTime64(3, 'UTC'))"

/** Collects the values of one statement and hands out their placeholders; a value that is said again has the one it had. */
export interface Params {
  add(value: ParamValue, type: ParamType): string
  readonly values: Readonly<Record<string, ParamValue>>
}

export const createParams = (): Params => {
  const values: Record<string, ParamValue> = {}
  const placeholders = new Map<string, string>()
  return {
    add: (value, type) => {
      const said = JSON.stringify([type, value])
      const known = placeholders.get(said)
      if (known !== undefined) return known
      const name = `p${placeholders.size}`
      const placeholder = `{${name}:${type}}`
      values[name] = value
      placeholders.set(said, placeholder)
      return placeholder
    },
    values,
  }
}

/** Only for names of the catalogue and of this folder. A backtick cannot occur in them; if one does, it is refused. */
export const quoteName = (name: string): string => {
  if (!/^[a-z][\w.]*$/.test(name)) throw new Error(`"${name}" is not a column name`)
  return `\`${name}\``
}

/** `2022-01-31 00:00:00.000`, how the engine reads an instant. */
export const toInstantText = (instant: Date): string =>
  instant.toISOString().replace('T', ' ').replace('Z', '')
