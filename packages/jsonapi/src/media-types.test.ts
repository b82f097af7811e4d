import { violationsOf } from './fixtures/violations.ts'
import { checkAccept, checkContentType } from './media-types.ts'

describe('checkAccept', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/*',
    'application/vnd.api+json',
    'APPLICATION/VND.API+JSON',
    'text/html, application/vnd.api+json;q=0.5',
    'application/vnd.api+json;version=2, application/vnd.api+json',
    'application/json, */*;q=0.1',
    'application/vnd.api+json; profile="https://example.com/a"',
  ])('accepts %p', (header) => {
    expect(violationsOf(() => checkAccept(header))).toEqual([])
  })

  it.each([
    'application/json',
    'text/*',
    'application/vnd.api.v1+json',
    'application/vnd.api+json;version=1',
    'application/vnd.api+json; charset=utf-8',
    'application/vnd.api+json;q=0',
    'application/vnd.api+json;ext="https://example.com/a"',
    'nonsense',
    'application/json;profile="a,application/vnd.api+json"',
  ])('refuses %p', (header) => {
    expect(violationsOf(() => checkAccept(header))).toMatchObject([{ code: 'not_acceptable', at: 'Accept' }])
  })
})

describe('checkContentType', () => {
  it.each([
    'application/vnd.api+json',
    'Application/Vnd.Api+Json',
    'application/vnd.api+json;profile="https://example.com/a https://example.com/b"',
  ])('accepts %p', (header) => {
    expect(violationsOf(() => checkContentType(header))).toEqual([])
  })

  it.each([
    undefined,
    '',
    'application/json',
    'application/vnd.api+json; charset=utf-8',
    '*/*',
    'text/plain',
  ])('refuses %p', (header) => {
    expect(violationsOf(() => checkContentType(header))).toMatchObject([
      { code: 'unsupported_media_type', at: 'Content-Type' },
    ])
  })
})
