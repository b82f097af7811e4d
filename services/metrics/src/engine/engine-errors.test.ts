import { AppError } from '@merx/errors/app-error'
import {
  fromEngineError,
  fromInsertError,
  isEngineUnavailable,
  isNetworkFailure,
  isOutOfSpace,
  isTableMissing,
  RowsRefused,
} from './engine-errors.ts'

const failure = (code: string, message = 'DB::Exception: text') => Object.assign(new Error(message), { code })

describe('fromEngineError', () => {
  it.each([
    [failure('159'), 'metrics_query_timeout'],
    [failure('241'), 'metrics_query_too_large'],
    [failure('396'), 'metrics_query_too_large'],
    [failure('202'), 'metrics_engine_unavailable'],
    [failure('ECONNREFUSED'), 'metrics_engine_unavailable'],
    [new Error('Timeout error.'), 'metrics_query_timeout'],
    [failure('47'), 'metrics_engine_unavailable'],
    [failure('60'), 'metrics_engine_unavailable'],
    [failure('81'), 'metrics_engine_unavailable'],
    [failure('46'), 'metrics_internal'],
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

describe('fromInsertError', () => {
  it.each(['407', '41', '27'])(
    'distinguishes a row that does not fit (%s) from an engine that cannot write',
    (code) => {
      expect(fromInsertError(failure(code))).toBeInstanceOf(RowsRefused)
    },
  )

  it.each(['243', '241', 'ECONNRESET', '469'])('leaves %s to whoever tries again', (code) => {
    expect(fromInsertError(failure(code))).toBeInstanceOf(AppError)
  })
})

it('knows a full disk, however deep it stands', () => {
  const full = failure('243', 'Cannot reserve 1.00 MiB, not enough space (NOT_ENOUGH_SPACE)')
  expect(isOutOfSpace(new Error('outside', { cause: fromInsertError(full) }))).toBe(true)
  expect(isOutOfSpace(failure('1001', 'write: No space left on device'))).toBe(true)
  expect(isOutOfSpace(failure('241', 'memory limit exceeded'))).toBe(false)
  expect(isOutOfSpace('No space left on device')).toBe(false)
})

it('sends again what the network lost, and nothing else', () => {
  expect([failure('ECONNRESET'), new Error('socket hang up'), failure('159')].map(isNetworkFailure)).toEqual([
    true,
    true,
    false,
  ])
})

describe('isEngineUnavailable', () => {
  it.each([
    [failure('ECONNREFUSED'), true],
    [failure('202'), true],
    [new AppError('metrics_engine_unavailable'), true],
    [failure('46'), false],
    [new Error('a defect'), false],
  ])('%p: %p', (error, isUnavailable) => expect(isEngineUnavailable(error)).toBe(isUnavailable))
})

describe('isTableMissing', () => {
  it.each([
    ['what the engine says', failure('60'), true],
    ['the same in our words', fromEngineError(failure('60')), true],
    ['another failure', fromEngineError(failure('241')), false],
    ['no error', '60', false],
  ])('%s: %#', (_name, error, isMissing) => expect(isTableMissing(error)).toBe(isMissing))
})
