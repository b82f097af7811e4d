/**
 * Query string → its parameters with their bracket segments. Brackets may be bare or percent-encoded, `+` is a
 * space (core-conventions.md 1.3). A name that appears twice is a violation: neither value would be the obvious one.
 */
import { AppError } from '@merx/errors/app-error'
import { limits } from './limits.ts'

/** One parameter of the query string, taken apart. */
export interface QueryParameter {
  /** The decoded name as sent: `filter[q][code_eq]`. */
  readonly name: string
  /** `filter` */
  readonly family: string
  /** `['q', 'code_eq']` */
  readonly segments: readonly string[]
  readonly value: string
}

const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/

/** Collects what is wrong with a request instead of throwing at the first violation. */
export type Report = (violation: AppError) => void

const decode = (encoded: string): string => decodeURIComponent(encoded.replaceAll('+', ' '))

/** `query` is without the question mark; empty parts (`&&`) are skipped. */
export const parseQueryString = (query: string, report: Report): readonly QueryParameter[] => {
  const parts = query.split('&').filter((part) => part !== '')
  if (parts.length > limits.parametersMax) {
    report(
      new AppError('param_not_allowed', { detail: `at most ${limits.parametersMax} parameters are allowed` }),
    )
    return []
  }
  const seen = new Set<string>()
  return parts.flatMap((part) => {
    const parameter = parseParameter(part, report)
    if (parameter === undefined) return []
    if (seen.has(parameter.name)) {
      const detail = `"${parameter.name}" is given more than once; separate several values by commas`
      report(new AppError('param_not_allowed', { detail, source: { parameter: parameter.name } }))
      return []
    }
    seen.add(parameter.name)
    return [parameter]
  })
}

const parseParameter = (part: string, report: Report): QueryParameter | undefined => {
  const at = part.indexOf('=')
  const [encodedName, encodedValue] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
  let name: string
  let value: string
  try {
    name = decode(encodedName)
    value = decode(encodedValue)
  } catch (cause) {
    const detail = `"${part.slice(0, 100)}" is not valid percent-encoding`
    report(new AppError('bad_request', { detail, cause }))
    return undefined
  }
  const match = NAME.exec(name)
  const family = match?.[1]
  if (match === null || family === undefined) {
    const detail = `"${name.slice(0, 100)}" is no parameter; names have the form family[key]`
    report(new AppError('param_not_allowed', { detail, source: { parameter: name.slice(0, 100) } }))
    return undefined
  }
  if (value.includes('\0')) {
    const detail = `the value of "${name.slice(0, 100)}" contains the character NUL (U+0000), which is not allowed`
    report(new AppError('param_not_allowed', { detail, source: { parameter: name.slice(0, 100) } }))
    return undefined
  }
  const segments = [...(match[2] ?? '').matchAll(/\[([^[\]]*)\]/g)].map((found) => found[1] ?? '')
  return { name, family, segments, value }
}
