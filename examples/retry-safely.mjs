/**
 * A program makes a customer over a bad line: it hangs up before it has the answer, and cannot know whether the customer was made.
 * It sends the same request again with the same Idempotency-Key until it has an answer, and one customer is made.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { credentials, demo, getCore, print, requireOk, tokenFor } from './shared/merx.mjs'

const TRIES_MAX = 10

const token = await tokenFor(credentials.integration)
const email = `retry-${randomUUID()}@example.com`
/** Kept with what is to be done, and the same for each try. */
const key = randomUUID()

const createCustomer = async (signal) => {
  const response = await fetch(`${demo.base_url}/api/customers`, {
    method: 'POST',
    headers: {
      Accept: 'application/vnd.api+json',
      'Content-Type': 'application/vnd.api+json',
      Authorization: `Bearer ${token}`,
      'Idempotency-Key': `"${key}"`,
    },
    body: JSON.stringify({ data: { type: 'customers', attributes: { email } } }),
    signal,
  })
  return { response, body: await response.json() }
}

/** 409 says that the first request is still at work, 5xx that nobody knows; both may be tried again. */
const isFinal = ({ status }) => status !== 409 && status < 500

const hangUp = new AbortController()
const first = createCustomer(hangUp.signal)
setTimeout(() => hangUp.abort(), 5)
await first.catch(() => undefined) // the line broke, or it did not: the program goes on as if it had

let answer
for (let left = TRIES_MAX; left > 0; left -= 1) {
  answer = await createCustomer()
  if (isFinal(answer.response)) break
  await wait(1000 * Number(answer.response.headers.get('retry-after') ?? 1))
}
const again = await createCustomer()
const found = requireOk(await getCore('customers', token, { 'filter[q][email_eq]': email }))

print({
  status: answer.response.status,
  sent_once_more: `${again.response.status}, replayed: ${again.response.headers.get('idempotent-replayed')}`,
  is_the_same: again.body.data.id === answer.body.data.id,
  customers: found.meta.record_count,
})
