import { readFile } from 'node:fs/promises'
import { provisioningPage, renderProvisioning } from './provisioning-reference.ts'

describe('the reference of provisioning', () => {
  it('is what the definitions say; after an edit run `npm run gen`', async () => {
    expect(await readFile(provisioningPage, 'utf8')).toBe(renderProvisioning())
  })

  it.each([
    '| `expires_in` | integer, from 7200, up to 1296000 | create, update | yes |  |',
    '| `client_secret` | computed, only in the answer that makes it |  |  |  |',
    '| `password` | text, from 8, up to 1024, never shown | create, update; required |  |  |',
    '| `subject` | a [resource type of core](core-resources.md) | create; required | yes | yes |',
    '| `mode` | `test` `live`, default `"test"` | create | yes | yes |',
    '| `role` | `roles` | create; required | yes | yes |',
    '`GET /provisioning/organizations`, `GET /provisioning/organizations/<id>`, `PATCH /provisioning/organizations/<id>`',
    '120 requests in 60 s from one address, 40 in 10 s to one resource type',
  ])('says %s', (line) => {
    expect(renderProvisioning()).toContain(line)
  })
})
