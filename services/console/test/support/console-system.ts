/** The console in process, in front of an auth that says what a test wants and notes what it is asked. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createFakeClock } from '@merx/testing/fake-clock'
import { inProcessClient, type InProcessResponse } from '@merx/testing/in-process-client'
import { createRecordingLogger } from '@merx/testing/silent-logger'
import { compose } from '../../src/compose.ts'
import { loadConsoleConfig } from '../../src/config.ts'

export const ORIGIN = 'http://127.0.0.1:8080'
const HOST = { Host: '127.0.0.1:8080' }
export const ISSUER = 'https://auth.merx.localhost'

export interface AskedOfAuth {
  readonly path: string
  readonly authorization: string | undefined
  readonly parameters: Readonly<Record<string, string>>
}

interface Answer {
  readonly status: number
  readonly body: object
}

export const tokenAnswer = (name: string, more: object = {}): Answer => ({
  status: 200,
  body: {
    access_token: `access-${name}`,
    refresh_token: `refresh-${name}`,
    token_type: 'bearer',
    expires_in: 7_200,
    ...more,
  },
})

export const refusal: Answer = { status: 400, body: { error: 'invalid_grant' } }

/** Answers in the order of `answers`; the last one again and again. */
const startAuth = async () => {
  const asked: AskedOfAuth[] = []
  const answers: Answer[] = [tokenAnswer('first')]
  const take = async (req: IncomingMessage): Promise<Answer> => {
    asked.push({
      path: req.url ?? '',
      authorization: req.headers.authorization,
      parameters: Object.fromEntries(new URLSearchParams(await text(req))),
    })
    if (req.url === '/oauth/revoke') return { status: 200, body: {} }
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? refusal
  }
  const server = createServer((req, res) => {
    void take(req).then(({ status, body }) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return { url: `http://127.0.0.1:${port}`, asked, answers, close }
}

const APPLICATIONS = ['test', 'live'].map((mode) => ({
  organization: 'shop',
  mode,
  client_id: `client-${mode}`,
  client_secret: `secret-of-the-client-${mode}`,
  redirect_uri: `${ORIGIN}/console/callback`,
}))

const page = (content: string, type: string) => ({
  type,
  bytes: Buffer.from(content),
  gzipped: Buffer.from(content),
})

const FILES = {
  index: page('<!doctype html><title>Console</title>', 'text/html; charset=utf-8'),
  assets: new Map([['index-a1b2.js', page('0', 'text/javascript; charset=utf-8')]]),
}

/** All cookies of an answer, one a line. */
export const cookiesOf = ({ headers }: InProcessResponse): string =>
  [headers['set-cookie'] ?? []].flat().join('\n')

/** What a browser keeps: the value of each cookie, until it is cleared. */
const createJar = () => {
  const cookies = new Map<string, string>()
  return {
    cookies,
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    keep: (response: InProcessResponse): void => {
      for (const [, name = '', value = ''] of cookiesOf(response).matchAll(
        /(merx_console(?:_sign_in)?)=([\w.-]*)/g,
      )) {
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
    },
  }
}

export const startConsole = async (env: Readonly<Record<string, string>> = {}) => {
  const auth = await startAuth()
  const clock = createFakeClock('2026-11-27T08:00:00Z')
  const { log, lines } = createRecordingLogger()
  const config = loadConsoleConfig({
    PUBLIC_AUTH_URL: 'http://auth.example',
    AUTH_URL: auth.url,
    CONSOLE_APPLICATIONS: JSON.stringify(APPLICATIONS),
    ...env,
  })
  const system = await compose(config, { log, clock, files: FILES })
  const client = inProcessClient(system.app)
  /** A browser of its own, with cookies; the headers are those of a page of the console unless they are given. */
  const openBrowser = () => {
    const jar = createJar()
    const send = async (
      method: string,
      path: string,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<InProcessResponse> => {
      const cookie: Record<string, string> = jar.cookies.size === 0 ? {} : { Cookie: jar.header() }
      const response = await client.request(method, path, { headers: { ...HOST, ...cookie, ...headers } })
      jar.keep(response)
      return response
    }
    const begin = async (query = 'organization=shop&mode=test'): Promise<URLSearchParams> => {
      const { headers } = await send('GET', `/console/sign-in?${query}`)
      return new URL(headers['location'] ?? '').searchParams
    }
    /** The browser comes back from auth with what auth answered. */
    const comeBack = (answer: Readonly<Record<string, string>>): Promise<InProcessResponse> =>
      send('GET', `/console/callback?${new URLSearchParams(answer).toString()}`)
    const signIn = async (): Promise<InProcessResponse> => {
      const asked = await begin()
      return comeBack({ code: 'code', state: asked.get('state') ?? '', iss: ISSUER })
    }
    return { jar, send, begin, comeBack, signIn }
  }
  const close = async (): Promise<void> => {
    await system.close()
    await auth.close()
  }
  return { auth, clock, lines, openBrowser, close }
}

export type TestConsole = Awaited<ReturnType<typeof startConsole>>
