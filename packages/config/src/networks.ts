/** A variable with a list of networks, such as `127.0.0.0/8,fd00::/8`. */
import { isIP } from 'node:net'
import { accept, quote, refuse, type Field, type FieldOptions, type Maybe, type Parsed } from './field.ts'

const NETWORKS_MAX = 50
const PREFIX = /^\d{1,3}$/

const isNetwork = (text: string): boolean => {
  const [address = '', prefix = '', ...rest] = text.split('/')
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return rest.length === 0 && PREFIX.test(prefix) && Number(prefix) <= bits
}

const parse = (raw: string): Parsed<readonly string[]> => {
  const parts = raw === 'none' ? [] : raw.split(',').map((part) => part.trim())
  if (parts.length > NETWORKS_MAX) return refuse(`has ${parts.length} entries`)
  const wrong = parts.findIndex((part) => !isNetwork(part))
  if (wrong !== -1) return refuse(`entry ${wrong + 1} is ${quote(parts[wrong] ?? '')}`)
  return accept(Object.freeze(parts))
}

/** Networks in CIDR form, separated by commas; `none` is the empty list. */
export const networks = <const O extends FieldOptions<readonly string[]>>(
  options: O = {} as O,
): Field<Maybe<readonly string[], O>> => ({
  allowed: `1 to ${NETWORKS_MAX} networks such as 10.0.0.0/8 or fd00::/8, separated by commas, or none`,
  parse,
  help: options.help ?? '',
  isOptional: options.optional === true,
  isSecret: false,
  ...(options.default === undefined ? {} : { defaultText: options.default.join(',') || 'none' }),
})
