import { AppError } from '@merx/errors/app-error'
import { isStoreUnavailable, toStoreError } from './store-errors.ts'

const failure = (code: string): Error => Object.assign(new Error('from pg'), { code })

describe('toStoreError', () => {
  it.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'ENOTFOUND',
    '57014',
    '57P01',
    '57P03',
    '53300',
    '08006',
    '25006',
    'EAI_AGAIN',
  ])('says service_unavailable when the database is unavailable, busy or too slow: %s', (code) => {
    const error = toStoreError(failure(code))
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ code: 'service_unavailable', status: 503 })
  })

  it.each([
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
  ])('says so when there was no connection, or none any more: %s', (message) => {
    expect(toStoreError(new Error(message))).toMatchObject({ code: 'service_unavailable' })
  })

  it('does not change an error that it made', () => {
    const said = toStoreError(failure('57P01'))
    expect(toStoreError(said)).toBe(said)
  })

  it.each([failure('42P01'), failure('23505'), new Error('bug'), 'text'])('leaves %p as it is', (error) => {
    expect(toStoreError(error)).toBe(error)
  })
})

describe('isStoreUnavailable', () => {
  it.each([
    [failure('57P03'), true],
    [new AppError('service_unavailable'), true],
    [new AppError('not_found'), false],
    [new Error('a defect'), false],
  ])('%p: %p', (error, isUnavailable) => expect(isStoreUnavailable(error)).toBe(isUnavailable))
})
