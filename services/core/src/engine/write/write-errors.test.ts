import { AppError } from '@merx/errors/app-error'
import { testIds } from '@merx/jsonapi/fixtures/ids'
import { areas } from '../../areas.ts'
import { createRegistry } from '../registry.ts'
import { toDeleteError, toTakenError, toWriteError } from './write-errors.ts'

const registry = createRegistry(areas, { ids: testIds })
const prices = registry.require('prices')

const refusal = (code: string, fields: Readonly<Record<string, string>> = {}): Error =>
  Object.assign(new Error('from pg'), { code, ...fields })

const seen = (error: unknown) => {
  if (!(error instanceof AppError)) throw error
  return [error.status, error.code, error.title, error.source?.pointer, error.detail]
}

describe('toWriteError', () => {
  it('names the key that is taken, never its values', () => {
    const detail = 'Key (environment_id, price_list_id, sku_id)=(1, 2, 3) already exists.'
    expect(seen(toWriteError(refusal('23505', { detail }), prices))).toEqual([
      409,
      'record_not_unique',
      'Record not unique',
      undefined,
      'another of the prices has the same price_list and sku',
    ])
    const lower = 'Key (environment_id, lower(email))=(1, ada@example.com) already exists.'
    expect(seen(toWriteError(refusal('23505', { detail: lower }), registry.require('customers')))[4]).toBe(
      'another of the customers has the same email',
    )
    expect(seen(toWriteError(refusal('23505'), prices))[4]).toBe('another of the prices has the same key')
  })

  it.each([
    ['a column that is an attribute', 'sku_code', '/data/attributes/sku_code'],
    ['a column of a relationship', 'sku_id', '/data/relationships/sku'],
    ['another column', 'nobody_knows', '/data'],
  ])('points to %s that is missing', (_name, column, pointer) => {
    expect(seen(toWriteError(refusal('23502', { column }), prices)).slice(0, 4)).toEqual([
      422,
      'validation_error',
      "can't be blank",
      pointer,
    ])
  })

  it('points to the attribute whose check failed', () => {
    const constraint = 'prices_compare_at_amount_cents_check'
    expect(seen(toWriteError(refusal('23514', { constraint }), prices))[3]).toBe(
      '/data/attributes/compare_at_amount_cents',
    )
  })

  it.each([
    ['23503', 422],
    ['22003', 422],
    ['40P01', 503],
    ['40001', 503],
  ])('answers SQLSTATE %s with %d', (code, status) => {
    expect(seen(toWriteError(refusal(code), prices))[0]).toBe(status)
  })

  it('leaves everything else as it is', () => {
    const bug = refusal('42703')
    expect(toWriteError(bug, prices)).toBe(bug)
    expect(toWriteError('text', prices)).toBe('text')
  })
})

describe('toDeleteError', () => {
  it('names what still refers to the row', () => {
    expect(seen(toDeleteError(refusal('23503', { table: 'line_items' })))).toEqual([
      423,
      'locked',
      'Locked resource',
      undefined,
      'Cannot be deleted because dependent line_items exist',
    ])
  })

  it('leaves everything else as it is', () => {
    const bug = refusal('23505')
    expect(toDeleteError(bug)).toBe(bug)
  })
})

describe('toTakenError', () => {
  const skus = registry.require('skus')
  const taken = (key: string, value: string) =>
    refusal('23505', { detail: `Key (${key})=(1, ${value}) already exists.` })

  it('says of a unique attribute what validation says, with the value that was sent', () => {
    const error = toTakenError(taken('environment_id, code', 'A'), skus, { code: 'A', name: 'x' })
    expect(seen(error)).toEqual([
      422,
      'validation_error',
      'has already been taken',
      '/data/attributes/code',
      'code - has already been taken',
    ])
    expect(error).toMatchObject({ meta: { error: 'taken', value: 'A' } })
  })

  it.each([
    ['of several columns', taken('environment_id, price_list_id, sku_id', '2, 3'), prices],
    ['of an attribute that is not unique by itself', taken('environment_id, name', 'x'), skus],
    ['that is not named', refusal('23505'), skus],
    ['of another kind', refusal('23503'), skus],
  ])('leaves a refusal %s as it is', (_name, error, definition) => {
    expect(toTakenError(error, definition, {})).toBe(error)
  })
})
