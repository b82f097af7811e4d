import { readFile } from 'node:fs/promises'
import { provisionedResources } from '../src/provisioning/resources/index.ts'
import { authOpenApiFile, renderAuthOpenApi } from './auth-openapi.ts'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

const document = JSON.parse(renderAuthOpenApi()) as Document

describe('the OpenAPI document of the authentication host', () => {
  it('is what the service reads; after an edit run `npm run gen`', async () => {
    expect(await readFile(authOpenApiFile, 'utf8')).toBe(renderAuthOpenApi())
  })

  it.each(provisionedResources.definitions.map(({ path, operations }) => ({ path, operations })))(
    'has every operation of $path and no other',
    ({ path, operations }) => {
      const methods = {
        list: 'get',
        create: 'post',
        retrieve: 'get',
        update: 'patch',
        delete: 'delete',
      } as const
      const at = (names: readonly (keyof typeof methods)[]): string[] =>
        names.filter((name) => operations.includes(name)).map((name) => methods[name])
      expect(Object.keys(document.paths[`/provisioning/${path}`] ?? {})).toEqual(at(['list', 'create']))
      expect(Object.keys(document.paths[`/provisioning/${path}/{id}`] ?? {})).toEqual([
        'parameters',
        ...at(['retrieve', 'update', 'delete']),
      ])
    },
  )

  it('has every endpoint of OAuth', () => {
    expect(Object.keys(document.paths).filter((path) => !path.startsWith('/provisioning/'))).toEqual([
      '/oauth/authorize',
      '/oauth/token',
      '/oauth/revoke',
      '/oauth/introspect',
      '/oauth/tokeninfo',
      '/.well-known/jwks.json',
      '/.well-known/oauth-authorization-server',
    ])
  })
})
