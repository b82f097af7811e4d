/** docs/how-to/follow-events.md through the gateway: messages come one by one, and a listener goes on where it was. */
import { accessToken, connect } from './support/connect.ts'
import { demo } from './support/demo.ts'

interface Stream {
  readonly response: Response
  /** The next block that is a message: its id and data. */
  next(): Promise<{
    readonly id: string
    readonly data: { readonly topic: string; readonly resource: object }
  }>
  close(): Promise<void>
}

const follow = async (
  token: string,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Stream> => {
  const closing = new AbortController()
  const response = await fetch(`${demo().base_url}/api/events/stream${query}`, {
    headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, ...headers },
    signal: closing.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const next: Stream['next'] = async () => {
    for (;;) {
      const end = text.indexOf('\n\n')
      const block = end < 0 ? undefined : text.slice(0, end)
      if (block !== undefined) text = text.slice(end + 2)
      const [, id, data] = /^id: (\S+)\ndata: (.*)$/.exec(block ?? '') ?? []
      if (id !== undefined && data !== undefined)
        return { id, data: JSON.parse(data) as { topic: string; resource: object } }
      if (block !== undefined) continue
      const chunk = await reader?.read()
      if (chunk?.value === undefined) throw new Error(`the stream ended: ${text}`)
      text += chunk.value
    }
  }
  return {
    response,
    next,
    close: async () => {
      closing.abort()
      await reader?.closed.catch(() => undefined)
    },
  }
}

const createCustomer = async (token: string): Promise<string> => {
  const email = `stream-${Date.now()}-${Math.random()}@example.com`
  const body = { data: { type: 'customers', attributes: { email } } }
  const reply = await connect().core('customers', { token, method: 'POST', body })
  expect(reply.status).toBe(201)
  return reply.json<{ data: { id: string } }>().data.id
}

test('each message arrives while the stream is open, and the next listener goes on after the last one', async () => {
  const token = await accessToken('integration', { mode: 'live', organization: 1 })
  const first = await follow(token, '?topics=customers.create')
  expect([first.response.status, first.response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream',
  ])
  const ids = [await createCustomer(token)]
  const seen = [await first.next()]
  ids.push(await createCustomer(token))
  seen.push(await first.next())
  await first.close()
  ids.push(await createCustomer(token))
  const second = await follow(token, '?topics=customers.create', { 'Last-Event-ID': seen[1]?.id ?? '' })
  seen.push(await second.next())
  await second.close()
  expect(seen.map(({ data }) => data)).toMatchObject(
    ids.map((id) => ({ topic: 'customers.create', resource: { type: 'customers', id } })),
  )
})

test('storefronts and other organizations see none of it', async () => {
  const storefront = await follow(await accessToken('sales_channel'))
  expect(storefront.response.status).toBe(401)
  const token = await accessToken('integration', { mode: 'live', organization: 1 })
  const other = await follow(await accessToken('integration', { mode: 'live' }), '?topics=customers.create')
  await createCustomer(token)
  const own = await createCustomer(await accessToken('integration', { mode: 'live' }))
  expect((await other.next()).data.resource).toEqual({ type: 'customers', id: own })
  await other.close()
})
