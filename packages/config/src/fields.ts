/** The kinds of variables there are. Each takes `help`, `default` and `optional`. */
import { accept, quote, refuse, type Field, type FieldOptions, type Maybe, type Parsed } from './field.ts'
import { Secret } from './secret.ts'

interface Kind<T> {
  readonly allowed: string
  readonly parse: (raw: string) => Parsed<T>
  readonly write?: (value: T) => string
}

const declare = <T, O extends FieldOptions<T>>(kind: Kind<T>, options: O): Field<Maybe<T, O>> => {
  const write = kind.write ?? String
  return {
    allowed: kind.allowed,
    parse: kind.parse,
    help: options.help ?? '',
    isOptional: options.optional === true,
    isSecret: false,
    ...(options.default === undefined ? {} : { defaultText: write(options.default) }),
  }
}

const TEXT_MAX = 4_096

/** Any text; with `pattern`, one it matches whole, described by `allowed`. */
export const text = <const O extends FieldOptions<string> & { pattern?: RegExp; allowed?: string }>(
  options: O = {} as O,
): Field<Maybe<string, O>> => {
  const allowed = options.allowed ?? `a text of at most ${TEXT_MAX} characters`
  const parse = (raw: string): Parsed<string> =>
    raw.length <= TEXT_MAX && (options.pattern?.test(raw) ?? true) ? accept(raw) : refuse(`is ${quote(raw)}`)
  return declare({ allowed, parse }, options)
}

/** Bounds are inclusive. */
export interface NumberOptions extends FieldOptions<number> {
  readonly min?: number
  readonly max?: number
}

const number = <O extends NumberOptions>(
  options: O,
  noun: string,
  shape: RegExp,
): Field<Maybe<number, O>> => {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options
  const bounds = [
    ...(options.min === undefined ? [] : [`${min} or more`]),
    ...(options.max === undefined ? [] : [`at most ${max}`]),
  ]
  const parse = (raw: string): Parsed<number> => {
    const value = Number(raw)
    return shape.test(raw) && value >= min && value <= max ? accept(value) : refuse(`is ${quote(raw)}`)
  }
  return declare({ allowed: [noun, ...bounds].join(', '), parse }, options)
}

/** A whole number. */
export const integer = <const O extends NumberOptions>(options: O = {} as O): Field<Maybe<number, O>> =>
  number(options, 'a whole number', /^-?\d{1,15}$/)

/** A number with or without a fraction. */
export const decimal = <const O extends NumberOptions>(options: O = {} as O): Field<Maybe<number, O>> =>
  number(options, 'a number', /^-?\d{1,15}(\.\d{1,15})?$/)

const PORT_MAX = 65_535

/** A TCP port; 0 lets the system choose. */
export const port = <const O extends FieldOptions<number>>(
  options: O = {} as O,
): Field<Maybe<number, O>> => ({
  ...(integer({ ...options, min: 0, max: PORT_MAX }) as Field<Maybe<number, O>>),
  allowed: `a port, 0 to ${PORT_MAX}`,
})

/** `true` or `false`. */
export const flag = <const O extends FieldOptions<boolean>>(options: O = {} as O): Field<Maybe<boolean, O>> =>
  declare(
    {
      allowed: 'true or false',
      parse: (raw) =>
        raw === 'true' || raw === 'false' ? accept(raw === 'true') : refuse(`is ${quote(raw)}`),
    },
    options,
  )

/** One of the listed words. */
export const oneOf = <const W extends string, const O extends FieldOptions<NoInfer<W>>>(
  words: readonly W[],
  options: O = {} as O,
): Field<Maybe<W, O>> => {
  const parse = (raw: string): Parsed<W> => {
    const word = words.find((candidate) => candidate === raw)
    return word === undefined ? refuse(`is ${quote(raw)}`) : accept(word)
  }
  return declare({ allowed: `one of ${words.join(', ')}`, parse }, options)
}

/** `protocols` without the colon; any of them is accepted. */
export interface UrlOptions extends FieldOptions<string> {
  readonly protocols?: readonly string[]
}

const URL_MAX = 2_048

/** URLs may hold passwords, so refusals never quote them. */
const parseUrl = (raw: string, protocols: readonly string[]): Parsed<string> => {
  if (raw.length > URL_MAX || !URL.canParse(raw)) return refuse('is not a URL')
  const protocol = new URL(raw).protocol.slice(0, -1)
  return protocols.length === 0 || protocols.includes(protocol)
    ? accept(raw)
    : refuse(`has the protocol ${quote(protocol)}`)
}

const urlAllowed = (noun: string, protocols: readonly string[]): string =>
  protocols.length === 0 ? noun : `${noun} with the protocol ${protocols.join(' or ')}`

/** An absolute URL, as text. */
export const url = <const O extends UrlOptions>(options: O = {} as O): Field<Maybe<string, O>> => {
  const { protocols = [] } = options
  return declare(
    { allowed: urlAllowed('a URL', protocols), parse: (raw) => parseUrl(raw, protocols) },
    options,
  )
}

/** The options of `urls`; the default is a list too. */
export interface UrlsOptions extends FieldOptions<readonly string[]> {
  readonly protocols?: readonly string[]
}

const URLS_MAX = 50

/** One or more absolute URLs, separated by commas. */
export const urls = <const O extends UrlsOptions>(
  options: O = {} as O,
): Field<Maybe<readonly string[], O>> => {
  const { protocols = [] } = options
  const parse = (raw: string): Parsed<readonly string[]> => {
    const parts = raw.split(',').map((part) => part.trim())
    if (parts.length > URLS_MAX) return refuse(`has ${parts.length} entries`)
    for (const [index, part] of parts.entries()) {
      const parsed = parseUrl(part, protocols)
      if (!parsed.ok) return refuse(`entry ${index + 1} ${parsed.reason}`)
    }
    return accept(Object.freeze(parts))
  }
  const allowed = urlAllowed(`1 to ${URLS_MAX} URLs separated by commas`, protocols)
  return declare({ allowed, parse, write: (value: readonly string[]) => value.join(',') }, options)
}

const HOST_NAME = /^(?=.{1,253}$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/i

/** A host name, such as `merx.localhost`. A wildcard is refused. */
export const domain = <const O extends FieldOptions<string>>(options: O = {} as O): Field<Maybe<string, O>> =>
  text({
    ...options,
    pattern: HOST_NAME,
    allowed: 'a host name without protocol, port or wildcard',
  })

/** `developmentDefault` is used outside production only, and refused there even when set explicitly. */
export interface SecretOptions {
  readonly help?: string
  readonly minLength?: number
  readonly developmentDefault?: string
  readonly optional?: boolean
}

const SECRET_LENGTH_MIN = 16

/** A secret of at least `minLength` characters (default 16), wrapped so that it cannot be printed by accident. */
export const secret = <const O extends SecretOptions>(options: O = {} as O): Field<Maybe<Secret, O>> => {
  const { minLength = SECRET_LENGTH_MIN, developmentDefault } = options
  const parse = (raw: string): Parsed<Secret> => {
    if (raw.length < minLength) return refuse(`has ${raw.length} characters`)
    return raw.length > TEXT_MAX ? refuse(`has ${raw.length} characters`) : accept(new Secret(raw))
  }
  return {
    allowed: `a secret of ${minLength} to ${TEXT_MAX} characters`,
    parse: parse,
    help: options.help ?? '',
    isOptional: options.optional === true,
    isSecret: true,
    ...(developmentDefault === undefined ? {} : { developmentText: developmentDefault }),
  }
}
