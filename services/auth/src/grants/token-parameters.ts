/** Bodies of the OAuth endpoints → typed parameters. Unknown keys are left alone: clients send extra ones (auth.md 1.2). */
import { AppError, AppErrors } from '@merx/errors/app-error'

/** Longest value of each parameter of POST /oauth/token, in UTF-16 units. */
export const PARAMETER_LENGTH_MAX = {
  grant_type: 100,
  client_id: 128,
  client_secret: 256,
  scope: 4_096,
  username: 320,
  password: 1_024,
  code: 256,
  redirect_uri: 2_048,
  code_verifier: 128,
  refresh_token: 256,
  // Larger assertions are refused by the grant itself, with the error of that grant.
  assertion: 65_536,
} as const

export type ParameterName = keyof typeof PARAMETER_LENGTH_MAX

type Named<Name extends string> = Readonly<Partial<Record<Name, string>>>

export type TokenParameters = Named<ParameterName>

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const violationOf = (name: string, value: unknown, lengthMax: number): string | undefined => {
  if (Array.isArray(value)) return `The parameter ${name} is given more than once; allowed: once.` // RFC 6749 3.2
  if (typeof value !== 'string') return `The parameter ${name} must be a string.`
  return value.length > lengthMax
    ? `The parameter ${name} is longer than ${lengthMax} characters.`
    : undefined
}

const invalidRequest = (name: string, detail: string): AppError =>
  new AppError('invalid_request', { detail, source: { pointer: `/${name}` } })

/**
 * The listed parameters that the body has. An empty value counts as none (RFC 6749 3.2), and so does null in JSON.
 * @throws AppErrors of invalid_request, one for each faulty parameter.
 */
export const parseNamed = <Name extends string>(
  body: unknown,
  lengthMax: Readonly<Record<Name, number>>,
): Named<Name> => {
  if (!isPlainObject(body)) {
    throw new AppError('invalid_request', { detail: 'The body must be one object, or form, of parameters.' })
  }
  const named: Partial<Record<Name, string>> = {}
  const violations: AppError[] = []
  for (const name in lengthMax) {
    if (!Object.hasOwn(body, name) || body[name] === '' || body[name] === null) continue
    const detail = violationOf(name, body[name], lengthMax[name])
    if (detail === undefined) named[name] = body[name] as string
    else violations.push(invalidRequest(name, detail))
  }
  if (violations.length > 0) throw new AppErrors(violations)
  return named
}

/** @throws AppError invalid_request naming the parameter. */
export const requireNamed = <Name extends string>(parameters: Named<Name>, name: Name): string => {
  const value = parameters[name]
  if (value === undefined) throw invalidRequest(name, `Missing required parameter: ${name}.`)
  return value
}

/** @throws AppErrors of invalid_request, one for each faulty parameter. */
export const parseParameters = (body: unknown): TokenParameters => parseNamed(body, PARAMETER_LENGTH_MAX)

/** @throws AppError invalid_request naming the parameter. */
export const requireParameter = (parameters: TokenParameters, name: ParameterName): string =>
  requireNamed(parameters, name)
