import { STATUS_CODES } from 'node:http'

/** The name of a status in upper snake case: 422 gives `UNPROCESSABLE_ENTITY`. Throws on a number that is no status. */
export const statusName = (status: number): string => {
  const name = STATUS_CODES[status]
  if (name === undefined) throw new RangeError(`${status} is not an HTTP status`)
  return name.toUpperCase().replaceAll(/[^A-Z]+/g, '_')
}
