import type { RequestListener } from 'node:http'
import { inProcessClient } from './in-process-client.ts'

/** Sends back what it got. */
const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { method, url, headers } = request
    const body = Buffer.concat(chunks).toString()
    response.writeHead(422, {
      'Content-Type': headers['x-answer-as'] ?? 'application/vnd.api+json; charset=utf-8',
    })
    response.end(JSON.stringify({ method, url, headers, body }))
  })
}

const client = inProcessClient(echo)

describe('in-process client', () => {
  it('sends token, headers and JSON, and parses every JSON media type, whatever the status', async () => {
    const { status, body } = await client.post('/api/skus?a=1', {
      token: 'abc',
      body: { b: 2 },
      headers: { 'X-One': '1' },
    })
    expect(status).toBe(422)
    expect(body).toMatchObject({
      method: 'POST',
      url: '/api/skus?a=1',
      body: '{"b":2}',
      headers: { authorization: 'Bearer abc', 'content-type': 'application/json', 'x-one': '1' },
    })
  })

  it('sends a string as it is under the given media type', async () => {
    const { body } = await client.request('PATCH', '/', {
      body: '{"broken',
      headers: { 'Content-Type': 'application/vnd.api+json' },
    })
    expect(body).toMatchObject({
      method: 'PATCH',
      body: '{"broken',
      headers: { 'content-type': 'application/vnd.api+json' },
    })
  })

  it('gives a body that is not JSON as text only', async () => {
    const { body, text } = await client.get('/', { headers: { 'X-Answer-As': 'text/plain' } })
    expect(body).toBeUndefined()
    expect(text).toContain('"method":"GET"')
  })
})
