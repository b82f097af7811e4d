import { AppError, AppErrors } from './app-error.ts'
import { encodeJsonApi } from './encode-json-api.ts'
import { toAppErrors } from './to-app-errors.ts'

describe('toAppErrors', () => {
  it('gives an AppError as it is', () => {
    const error = new AppError('locked')
    expect(toAppErrors(error, 'internal_server_error')).toEqual([error])
  })

  it('gives all errors of an AppErrors', () => {
    const errors = [new AppError('locked'), new AppError('not_found')]
    expect(toAppErrors(new AppErrors(errors), 'internal_server_error')).toEqual(errors)
  })

  it.each([
    ['an Error', new Error('password is hunter2')],
    ['a TypeError', new TypeError('hunter2 is not a function')],
    ['a text', 'hunter2'],
    ['an object that looks like ours', { code: 'locked', status: 423, title: 'hunter2' }],
    ['null', null],
    ['undefined', undefined],
  ])('hides %s behind the internal code and keeps it as cause', (_name, thrown) => {
    const errors = toAppErrors(thrown, 'metrics_internal')
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ code: 'metrics_internal', status: 500, level: 'error' })
    expect(errors[0]?.cause).toBe(thrown)
    expect(JSON.stringify(encodeJsonApi(errors, { requestId: 'r' }))).not.toContain('hunter2')
  })
})
