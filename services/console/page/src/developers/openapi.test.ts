import auth from '../../../../../docs/reference/auth-openapi.json' with { type: 'json' }
import metrics from '../../../../../docs/reference/metrics-openapi.json' with { type: 'json' }
import { describeSchema, endpointsOf, resolved, type OpenApi } from './openapi.ts'

it.each([
  ['auth', auth as unknown as OpenApi],
  ['metrics', metrics as unknown as OpenApi],
])('finds every method of every path of %s, and what they refer to', (_service, document) => {
  const endpoints = endpointsOf(document)
  expect(endpoints.length).toBeGreaterThanOrEqual(Object.keys(document.paths).length)
  for (const { operation } of endpoints) {
    expect(operation.summary).toBeDefined()
    for (const answer of Object.values(operation.responses ?? {}))
      expect(resolved(document, answer).description).toBeDefined()
  }
})

it('says in a line what a schema admits', () => {
  expect(describeSchema({ type: 'string', enum: ['code'] })).toBe('string, one of "code"')
  expect(describeSchema({ type: ['integer', 'null'], minimum: 1, maximum: 25 })).toBe(
    'integer or null, at least 1, at most 25',
  )
  expect(describeSchema({})).toBe('')
})
