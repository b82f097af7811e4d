import { AppError } from '@merx/errors/app-error'
import { fromEngineError } from './engine-errors.ts'

const failure = (code: string, message = 'DB::Exception: text') => Object.assign(new Error(message), { code })

describe('fromEngineError', () => {
  it.each([
    [failure('159'), 'metrics_query_timeout'],
    [failure('241'), 'metrics_query_too_large'],
    [failure('396'), 'metrics_query_too_large'],
    [failure('202'), 'metrics_engine_unavailable'],
    [failure('ECONNREFUSED'), 'metrics_engine_unavailable'],
    [new Error('Timeout error.'), 'metrics_query_timeout'],
    [failure('47'), 'metrics_internal'],
    ['text', 'metrics_internal'],
  ])('%p becomes %s, with the engine only in the cause', (error, code) => {
    const mapped = fromEngineError(error)
    expect(mapped.code).toBe(code)
    expect(mapped.message).not.toContain('DB::')
    expect(mapped.cause).toBe(error)
  })

  it('keeps what is mapped already', () => {
    const error = new AppError('metrics_query_timeout')
    expect(fromEngineError(error)).toBe(error)
  })
})
