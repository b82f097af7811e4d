import { AppError } from '@merx/errors/app-error'
import { toStoreError } from './run-statement.ts'

const failure = (code: string): Error => Object.assign(new Error('from pg'), { code })

describe('toStoreError', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', '57014', '57P01', '57P03', '53300', '08006'])(
    'says service_unavailable when the database is away, busy or too slow: %s',
    (code) => {
      const error = toStoreError(failure(code))
      expect(error).toBeInstanceOf(AppError)
      expect(error).toMatchObject({ code: 'service_unavailable', status: 503 })
    },
  )

  it('says so when no connection gets free', () => {
    expect(toStoreError(new Error('timeout exceeded when trying to connect'))).toMatchObject({
      code: 'service_unavailable',
    })
  })

  it.each([failure('42P01'), failure('23505'), new Error('bug'), 'text'])('leaves %p as it is', (error) => {
    expect(toStoreError(error)).toBe(error)
  })
})
