import { AppError, AppErrors } from '@merx/errors/app-error'
import {
  PARAMETER_LENGTH_MAX,
  parseParameters,
  requireParameter,
  type ParameterName,
} from './token-parameters.ts'

const refusalsOf = (body: unknown): (string | undefined)[] => {
  try {
    parseParameters(body)
  } catch (error) {
    if (error instanceof AppError) return [error.detail]
    if (error instanceof AppErrors) return error.errors.map(({ detail }) => detail)
    throw error
  }
  throw new Error('nothing was refused')
}

const names = Object.keys(PARAMETER_LENGTH_MAX) as ParameterName[]

describe('parameters of the token endpoint', () => {
  it('are kept when known, whatever else the body has', () => {
    expect(
      parseParameters({ grant_type: 'password', username: 'a', domain: 'x', nested: { a: [1] } }),
    ).toEqual({
      grant_type: 'password',
      username: 'a',
    })
  })

  it.each(names)('%s may have its longest value and no character more', (name) => {
    const longest = 'a'.repeat(PARAMETER_LENGTH_MAX[name])
    expect(parseParameters({ [name]: longest })).toEqual({ [name]: longest })
    expect(refusalsOf({ [name]: `${longest}a` })).toEqual([
      `The parameter ${name} is longer than ${PARAMETER_LENGTH_MAX[name]} characters.`,
    ])
  })

  it.each(names)('%s is refused when given twice', (name) => {
    expect(refusalsOf({ [name]: ['a', 'b'] })).toEqual([
      `The parameter ${name} is given more than once; allowed: once.`,
    ])
  })

  it.each([1, true, {}])('of value %j are refused', (value) => {
    expect(refusalsOf({ grant_type: value })).toEqual(['The parameter grant_type must be a string.'])
  })

  it('are refused all at once', () => {
    expect(refusalsOf({ grant_type: 1, scope: {}, code: [] })).toHaveLength(3)
  })

  it.each([undefined, null, 'grant_type=password', 3, [], ['grant_type']])(
    'are not found in the body %j',
    (body) => {
      expect(refusalsOf(body)).toEqual(['The body must be one object, or form, of parameters.'])
    },
  )

  it('of value null are as if left out', () => {
    expect(parseParameters({ grant_type: 'password', scope: null, client_secret: null })).toEqual({
      grant_type: 'password',
    })
  })

  it('with an empty value count as missing (RFC 6749 3.2)', () => {
    const parameters = parseParameters({ grant_type: '' })
    expect(parameters).toEqual({})
    const missing = 'Missing required parameter: grant_type.'
    expect(() => requireParameter(parameters, 'grant_type')).toThrow(
      expect.objectContaining({ detail: missing, source: { pointer: '/grant_type' } }) as Error,
    )
    expect(requireParameter({ grant_type: 'password' }, 'grant_type')).toBe('password')
  })

  it('are never taken from the prototype', () => {
    expect(parseParameters(Object.create({ grant_type: 'password' }))).toEqual({})
  })
})
