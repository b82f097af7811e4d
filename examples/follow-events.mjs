/**
 * A program that follows events: it listens, is away for a while, and goes on after the last event it saw, so that it misses none.
 * The integration creates one customer while it listens, one while it is away, and one when it is back.
 */
import { credentials, demo, print, requireOk, sendCore, tokenFor } from './shared/merx.mjs'

const WAIT_MS = 30_000

/** Messages of server-sent events: blocks of `field: value` lines, with an empty line after each. */
const readMessages = async function* (body) {
  let rest = ''
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop()
    for (const block of blocks) {
      const { id, data } = Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/, 2)))
      // A block without an id is a comment, such as ": keep-alive".
      if (id !== undefined) yield { id, ...JSON.parse(data) }
    }
  }
}

/** Begins now, or after the last event that was seen. */
const listen = async (token, lastEventId) => {
  const response = await fetch(`${demo.base_url}/api/events/stream?topics=customers.create`, {
    headers: {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
    signal: AbortSignal.timeout(WAIT_MS),
  })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return readMessages(response.body)
}

const token = await tokenFor(credentials.integration)
let made = 0
const createCustomer = async () => {
  made += 1
  const attributes = { email: `followed-${Date.now()}-${made}@example.com` }
  return requireOk(await sendCore('POST', 'customers', token, { type: 'customers', attributes })).data.id
}

/** In a shop the id is stored in the transaction of what follows from the event. */
let lastEventId
const seen = []
/** Others may create customers too. Leaving the loop closes the stream. */
const readUntil = async (messages, customer) => {
  for await (const { id, resource } of messages) {
    lastEventId = id
    seen.push(resource.id)
    if (resource.id === customer) return
  }
}

const first = await listen(token)
const whileListening = await createCustomer()
await readUntil(first, whileListening)

const whileAway = await createCustomer()
const second = await listen(token, lastEventId)
const whenBack = await createCustomer()
await readUntil(second, whenBack)

print({
  while_listening: seen.includes(whileListening),
  while_away: seen.includes(whileAway),
  when_back: seen.includes(whenBack),
  twice: seen.length - new Set(seen).size,
})
