import { AppError, AppErrors } from './app-error.ts'
import { catalogue, entryOf, type ErrorCode } from './catalogue.ts'

describe('AppError', () => {
  it.each(Object.keys(catalogue) as ErrorCode[])(
    'takes status, level and texts of %s from the table',
    (code) => {
      const error = new AppError(code)
      const { status, level, title, detail } = entryOf(code)
      expect(error).toMatchObject({ name: 'AppError', code, status, level, title })
      expect(error.detail).toBe(detail)
    },
  )

  it('has no property for what was not given', () => {
    const error = new AppError('not_acceptable')
    for (const name of ['detail', 'source', 'meta', 'headers', 'cause'])
      expect(error).not.toHaveProperty(name)
  })

  it('keeps what was given, also over the texts of the table', () => {
    const options = {
      title: "can't be blank",
      detail: "name - can't be blank",
      source: { pointer: '/data/attributes/name' },
      meta: { error: 'blank' },
      headers: { 'Retry-After': '3' },
      cause: new Error('why'),
    }
    expect(new AppError('validation_error', options)).toMatchObject(options)
  })

  it('has the headers of the table, unless others of the same name were given', () => {
    const challenge = { 'WWW-Authenticate': 'Bearer realm="merx", error="insufficient_scope"' }
    for (const code of ['unauthorized', 'metrics_unauthorized'] as const) {
      expect(new AppError(code).headers).toEqual(challenge)
      const other = { 'WWW-Authenticate': 'Bearer realm="merx"' }
      expect(new AppError(code, { headers: other }).headers).toEqual(other)
      expect(new AppError(code, { headers: { Allow: 'GET' } }).headers).toEqual({
        ...challenge,
        Allow: 'GET',
      })
    }
  })

  it('takes undefined as not given', () => {
    const error = new AppError('invalid_token', { title: undefined, detail: undefined, source: undefined })
    expect(error.title).toBe('Invalid token')
    expect(error.detail).toBe('The access token you provided is invalid.')
    expect(error).not.toHaveProperty('source')
  })

  it('says its code and its detail in the message, for logs', () => {
    expect(new AppError('invalid_include', { detail: 'no "x"' }).message).toBe('invalid_include: no "x"')
    expect(new AppError('invalid_include').message).toBe('invalid_include: Invalid include')
  })

  it('has another level than the table says when it is a refusal, not a failure', () => {
    expect(new AppError('service_unavailable').level).toBe('error')
    expect(new AppError('service_unavailable', { level: 'info' }).level).toBe('info')
  })

  it('is an Error with a stack', () => {
    const error = new AppError('locked')
    expect(error).toBeInstanceOf(Error)
    expect(error.stack).toContain('app-error.test.ts')
  })
})

describe('AppErrors', () => {
  it('keeps all errors in order and says each in its message', () => {
    const errors = [
      new AppError('invalid_include'),
      new AppError('invalid_page_value', { detail: 'at most 25' }),
    ]
    const all = new AppErrors(errors)
    expect(all.errors).toEqual(errors)
    expect(all.message).toBe('invalid_include: Invalid include; invalid_page_value: at most 25')
  })

  it('refuses to be empty', () => {
    expect(() => new AppErrors([])).toThrow(new RangeError('AppErrors needs at least one error'))
  })
})
