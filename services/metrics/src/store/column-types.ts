/** Reads the type of each column from a `CREATE TABLE`; members of a Nested structure by their path, as arrays. Pure. */

const COLUMN = /^\s*`(?<name>\w+)` (?<type>.+?)(?: (?:DEFAULT|MATERIALIZED|CODEC\(T64\)).*)?,?$/
const NESTED_BEGIN = /^\s*`(?<name>\w+)` Nested\($/
const NESTED_END = /^\s*\),?$/

/** Definitions have a column a line (tables/*.sql). */
export const columnTypes = (definition: string): ReadonlyMap<string, string> => {
  const types = new Map<string, string>()
  let tree: string | undefined
  for (const line of definition.split('\n')) {
    const begun = NESTED_BEGIN.exec(line)?.groups?.['name']
    const { name, type } = COLUMN.exec(line)?.groups ?? {}
    if (begun !== undefined) tree = begun
    else if (NESTED_END.test(line)) tree = undefined
    else if (name !== undefined && type !== undefined) {
      if (tree === undefined) types.set(name, type)
      else types.set(`${tree}.${name}`, `Array(${type})`)
    }
  }
  return types
}
