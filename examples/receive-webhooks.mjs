/**
 * A program that receives webhooks: it checks the signature, takes each event once, and answers at once. The integration makes
 * the webhook, a customer is created, and the event is sent a second time on purpose.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { credentials, print, requireOk, sendCore, tokenFor } from './shared/merx.mjs'

const TOLERANCE_SECONDS = 300
const WAIT_MS = 30_000

/** As Standard Webhooks says; `new Webhook(secret).verify(body, headers)` of the npm package standardwebhooks does the same. */
const isGenuine = (headers, body, secret) => {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers
  if (Math.abs(Date.now() / 1000 - Number(time)) > TOLERANCE_SECONDS) return false
  const key = Buffer.from(secret, 'base64')
  const expected = Buffer.from(createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64'))
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ''))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

let secret = ''
const taken = new Set()
const seen = { received: 0, taken: 0, repeated: 0, refused: 0 }

const server = createServer(async (request, response) => {
  const body = await text(request)
  seen.received += 1
  if (!isGenuine(request.headers, body, secret)) {
    seen.refused += 1
    response.writeHead(401).end()
    return
  }
  // In a shop this is a row with a unique key, written in the transaction of what follows from the event.
  const event = request.headers['webhook-id']
  if (taken.has(event)) seen.repeated += 1
  else seen.taken += 1
  taken.add(event)
  response.writeHead(204).end()
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${server.address().port}/hooks`

const until = async (isReached) => {
  for (const from = Date.now(); !isReached(); await wait(50))
    if (Date.now() - from > WAIT_MS) throw new Error(`no call came: ${JSON.stringify(seen)}`)
}

const token = await tokenFor(credentials.integration)
const attributes = { topic: 'customers.create', callback_url: url }
const { data: webhook } = requireOk(
  await sendCore('POST', 'webhooks', token, { type: 'webhooks', attributes }),
)
secret = webhook.attributes.shared_secret
try {
  const email = `webhook-${Date.now()}@example.com`
  requireOk(await sendCore('POST', 'customers', token, { type: 'customers', attributes: { email } }))
  await until(() => seen.taken > 0)
  const [id] = taken
  requireOk(
    await sendCore('PATCH', `events/${id}`, token, { type: 'events', id, attributes: { _trigger: true } }),
  )
  await until(() => seen.repeated > 0)
  await fetch(url, { method: 'POST', body: '{}', headers: { 'webhook-signature': 'v1,forged' } })
} finally {
  const off = { type: 'webhooks', id: webhook.id, attributes: { _disable: true } }
  await sendCore('PATCH', `webhooks/${webhook.id}`, token, off)
  server.close()
}
print({ topic: webhook.attributes.topic, ...seen })
