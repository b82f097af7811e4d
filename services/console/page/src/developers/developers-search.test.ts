import { isOwnPath, readReferenceSearch, readRequestSearch } from './developers-search.ts'

it('reads what makes sense of an address', () => {
  expect(readReferenceSearch({ service: 'auth', text: 'token' })).toEqual({ service: 'auth', text: 'token' })
  expect(readReferenceSearch({ service: 'billing', text: 3 })).toEqual({ service: 'core' })
  expect(readRequestSearch({ method: 'PATCH', path: '/api/skus/1' })).toEqual({
    ...{ method: 'PATCH', path: '/api/skus/1' },
  })
})

it.each(['//example.com/x', '/\\example.com', 'https://example.com', '', `/${'x'.repeat(4_000)}`])(
  'sends nothing to %s',
  (path) => {
    expect(isOwnPath(path)).toBe(false)
    expect(readRequestSearch({ path }).path).toBe('/api/orders?page[size]=1')
  },
)
