/** Plain JSON objects, as JSON.parse makes them. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Own keys only, so that a key such as `constructor` finds nothing. */
export const valueAt = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined

/** How many objects and arrays are inside each other, at most `max` + 1. Iterative: a deep body must not end the stack. */
export const depthOf = (value: unknown, max: number): number => {
  let level: unknown[] = [value]
  let depth = 0
  while (depth <= max) {
    level = level.filter((item) => typeof item === 'object' && item !== null)
    if (level.length === 0) return depth
    depth += 1
    level = level.flatMap((item) => Object.values(item as object) as unknown[])
  }
  return depth
}
