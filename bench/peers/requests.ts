/** Steps of a purchase over JSON, with an error that says what was refused. */
import type { Connections } from '@merx/load/connections'
import type { LoadAnswer, LoadRequest } from '@merx/load/exchange'

/** What systems answer, as far as load reads it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

/** A member deep in an answer: `at(answer, 'cart', 'id')`. Undefined when there is none. */
export const at = (value: Json | undefined, ...names: readonly (string | number)[]): Json | undefined =>
  names.reduce<Json | undefined>((inner, name) => {
    if (typeof inner !== 'object' || inner === null) return undefined
    return Object.entries(inner).find(([key]) => key === String(name))?.[1]
  }, value)

/** The same, which must be a text. */
export const textAt = (value: Json, ...names: readonly (string | number)[]): string => {
  const found = at(value, ...names)
  if (typeof found === 'string') return found
  throw new Error(`no text at ${names.join('.')} of ${JSON.stringify(value).slice(0, 300)}`)
}

export const parse = ({ body = '' }: LoadAnswer): Json => JSON.parse(body) as Json

/** @throws Error when the status is not 2xx */
export const sendTo =
  ({ send }: Connections) =>
  async (request: LoadRequest): Promise<Json> => {
    const answer = await send(request)
    if (answer.status >= 300)
      throw new Error(`${request.method} ${request.path}: ${answer.status} ${answer.body ?? ''}`)
    return parse(answer)
  }

/** Where every buyer lives. */
export const ADDRESS = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  line: 'Via Roma 1',
  city: 'Torino',
  zip: '10121',
  state: 'TO',
  country: 'IT',
  phone: '+39 011 1234567',
} as const
