/**
 * A small payment gateway to connect to Merx: it authorizes, captures, voids and refunds, gives tokens for later payments, keeps
 * a book, and can be told to misbehave. It holds everything in memory; with a file it also appends each movement, and starts from it again.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const SIGNATURE = 'x-commercelayer-signature'
const BODY_BYTES_MAX = 5_000_000
/** Longer than Merx waits. */
const LATE_MS = 6_000

export const sign = (body, secret) => createHmac('sha256', secret).update(body).digest('base64')

const isSigned = (body, secret, signature) => {
  const expected = Buffer.from(sign(body, secret))
  const given = Buffer.from(String(signature ?? ''))
  return expected.length === given.length && timingSafeEqual(expected, given)
}

/** Path → what it does, and the attribute of the document that says how much. */
const MOVEMENTS = {
  '/authorize': { name: 'authorize', amount: '_authorization_amount_cents' },
  '/capture': { name: 'capture', amount: '_capture_amount_cents' },
  '/void': { name: 'void', amount: '_void_amount_cents' },
  '/refund': { name: 'refund', amount: '_refund_amount_cents' },
}

/** Where a source of payment gets the tokens that later orders are paid with. */
const TOKENS = '/token'

/** How it can misbehave; `none` is how a bank should be. */
export const FAULTS = [
  'none',
  'decline', // refuses
  'async', // answers 202, and calls back when told to
  'hang', // moves the money and never answers
  'late', // moves the money and answers after 6 s
  'close', // moves the money and closes the connection
  'drop', // closes the connection before anything is moved
  'error', // answers 500, and moves nothing
  'nonsense', // moves the money and answers 200 with something else
  'redirect', // answers 302
  'amount', // moves one cent more than it was asked for
  'token', // moves the money and does not say what it is called
  'huge', // answers with more than a megabyte
]

/**
 * @param {{ secret: string, port?: number, file?: string }} options `secret` is `shared_secret` of the external gateway
 */
export const openBank = async ({ secret, port = 0, file }) => {
  /** Every movement, in order: { key, name, token, of, amount_cents }. */
  const book = []
  /** Idempotency key → the answer, so that a question that is asked again moves nothing again. */
  const answers = new Map()
  /** Actions that were promised: action id → what will be called back. */
  const actions = new Map()
  /** Everything that was asked: { path, key, document, signed }. */
  const asked = []
  let secretInUse = secret
  let faultOf = () => 'none'

  const remember = (entry, answer) => {
    book.push(entry)
    answers.set(entry.key, answer)
    if (file !== undefined) appendFileSync(file, `${JSON.stringify({ entry, answer })}\n`)
  }
  if (file !== undefined && existsSync(file)) {
    for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
      const { entry, answer } = JSON.parse(line)
      book.push(entry)
      answers.set(entry.key, answer)
    }
  }

  const declined = (amount_cents, message) => ({
    success: false,
    data: {
      transaction_token: null,
      amount_cents,
      error: { code: 'card_declined', message },
    },
  })

  /** What is left of an authorization or a capture. */
  const leftOf = (token, name) => {
    const origin = book.find((entry) => entry.token === token)
    if (origin === undefined) return 0
    const taken = book.filter(
      ({ of, name: moved }) => of === token && (name === 'refund' ? moved === 'refund' : moved !== 'refund'),
    )
    return origin.amount_cents - taken.reduce((sum, entry) => sum + entry.amount_cents, 0)
  }

  const move = (movement, key, document, fault) => {
    const { attributes } = document.data
    const amount = Number(attributes[movement.amount]) + (fault === 'amount' ? 1 : 0)
    const of = movement.name === 'authorize' ? undefined : attributes.token
    if (fault === 'decline') return declined(amount, 'The card was declined')
    if (of !== undefined && fault !== 'amount' && leftOf(of, movement.name) < amount)
      return declined(amount, 'There is not that much left')
    const token = `${movement.name}-${randomUUID()}`
    const answer = {
      success: true,
      data: { transaction_token: token, amount_cents: amount, metadata: { bank: 'example' } },
    }
    remember({ key, name: movement.name, token, of, amount_cents: amount }, answer)
    return answer
  }

  /** The answer to one key stays the same, so that nobody has two tokens for one source. */
  const giveTokens = (key, fault) => {
    if (fault === 'decline')
      return { success: false, error: { code: 'not_kept', message: 'The card cannot be kept' } }
    const data = { payment_source_token: `kept-${randomUUID()}`, customer_token: `customer-${randomUUID()}` }
    answers.set(key, { success: true, data })
    return answers.get(key)
  }

  const answerTo = async (req, res) => {
    const path = new URL(req.url, 'http://bank').pathname
    if (path === '/book') return send(res, 200, book)
    const body = await read(req)
    if (path === '/fault') {
      faultOf = () => JSON.parse(body).fault
      return send(res, 200, { fault: faultOf() })
    }
    if (path === '/complete') return send(res, 200, await complete(JSON.parse(body)))
    const movement = MOVEMENTS[path]
    if (movement === undefined && path !== TOKENS) return send(res, 404, { success: false })
    const signed = isSigned(body, secretInUse, req.headers[SIGNATURE])
    const document = JSON.parse(body)
    const key = String(req.headers['idempotency-key'])
    asked.push({ path, key, document, signed })
    if (!signed)
      return send(res, 401, { success: false, error: { code: 'signature', message: 'Not signed' } })
    const fault = await faultOf({ path, key, count: asked.length })
    if (fault === 'drop') return req.socket.destroy()
    if (fault === 'error') return send(res, 500, { success: false })
    if (fault === 'redirect') return res.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    if (fault === 'async' && path !== TOKENS && !answers.has(key)) {
      const action_id = randomUUID()
      actions.set(action_id, { movement, key, document })
      const answer = { success: true, data: { action_id } }
      answers.set(key, answer)
      return send(res, 202, answer)
    }
    const answer =
      answers.get(key) ?? (path === TOKENS ? giveTokens(key, fault) : move(movement, key, document, fault))
    if (answer.data?.action_id !== undefined) return send(res, 202, answer)
    switch (fault) {
      case 'hang':
        return undefined
      case 'close':
        return req.socket.destroy()
      case 'late':
        await pause(LATE_MS)
        return send(res, 200, answer)
      case 'nonsense':
        return res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>')
      case 'token':
        return send(res, 200, { success: true, data: { amount_cents: answer.data.amount_cents } })
      case 'huge':
        return res.writeHead(200).end('x'.repeat(2_000_000))
      default:
        return send(res, 200, answer)
    }
  }

  /** Calls back what was promised, as often as it is told to. `callback_url` is `webhook_endpoint_url` of the gateway. */
  const complete = async ({ action_id, callback_url, fault = 'none', times = 1 }) => {
    const action = actions.get(action_id)
    if (action === undefined) throw new Error(`there is no action ${action_id}`)
    const moved = book.some(({ key }) => key === action.key)
    const answer = moved ? answers.get(action.key) : move(action.movement, action.key, action.document, fault)
    if (!answers.get(action.key)?.data?.transaction_token) answers.set(action.key, answer)
    const body = JSON.stringify({ ...answer, data: { ...answer.data, action_id } })
    const statuses = []
    for (let time = 0; time < times; time += 1) {
      const response = await fetch(callback_url, {
        method: 'POST',
        headers: { 'content-type': 'application/vnd.api+json', [SIGNATURE]: sign(body, secretInUse) },
        body,
      })
      statuses.push(response.status)
    }
    return { body, statuses }
  }

  const server = createServer((req, res) => {
    answerTo(req, res).catch((error) => {
      if (!res.headersSent) send(res, 400, { success: false, error: { message: error.message } })
    })
  })
  await new Promise((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    book,
    asked,
    actions,
    complete,
    setSecret: (value) => {
      secretInUse = value
    },
    /** A name of FAULTS, or a function of { path, key, count } that returns one. */
    setFault: (fault) => {
      faultOf = typeof fault === 'function' ? fault : () => fault
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const read = async (req) => {
  const chunks = []
  let bytes = 0
  for await (const chunk of req) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) throw new Error('the document is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const send = (res, status, body) =>
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
