import { pretty, sendRequest, toCurl } from './send-request.ts'

const request = { method: 'POST', path: '/api/skus', body: `{"a":"it's"}`, token: 'secret' } as const

it('gives a command for a shell, without the token', () => {
  const command = toCurl(request, 'http://localhost:8080')
  expect(command).toBe(
    [
      `curl -g -X POST 'http://localhost:8080/api/skus' \\`,
      `  -H "Authorization: Bearer $TOKEN" \\`,
      `  -H 'Accept: application/vnd.api+json' \\`,
      `  -H 'Content-Type: application/vnd.api+json' \\`,
      String.raw`  -d '{"a":"it'\''s"}'`,
    ].join('\n'),
  )
})

it('asks metrics for its version, and sends no body with a GET', () => {
  const command = toCurl({ ...request, method: 'GET', path: '/metrics/orders/stats' }, '')
  expect(command).toContain('application/vnd.api.v1+json')
  expect(command).not.toContain('-d ')
})

it('sends nothing to another origin', async () => {
  await expect(sendRequest({ ...request, path: '//example.com' })).rejects.toThrow('of this origin')
})

it('shows JSON indented, and anything else as it is', () => {
  expect(pretty('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(pretty('a,b')).toBe('a,b')
})
