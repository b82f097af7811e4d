/** Listeners of /api/events/stream over real sockets. */
import { listen } from '@merx/http/listen'
import type { Listening } from '@merx/http/listen'
import { eventually } from '@merx/testing/eventually'
import type { StreamLimits } from '../../../src/events/stream/event-streams.ts'
import { openCore } from '../../support/open-core.ts'
import type { SeenError, TestCore } from '../../support/open-core.ts'

export interface Message {
  readonly id: string
  readonly topic: string
  readonly resource: { readonly type: string; readonly id: string }
  readonly is_imported: boolean
  readonly created_at: string
}

export interface StreamListener {
  readonly status: number
  readonly headers: Headers
  readonly messages: readonly Message[]
  readonly comments: readonly string[]
  /** The document of a refusal. */
  readonly body: unknown
  /** Resolves when the other side has ended it. */
  readonly ended: Promise<void>
  /** Resolves with the topics once there are so many messages. */
  topics(count: number): Promise<readonly string[]>
  close(): Promise<void>
}

export interface ListenOptions {
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
}

export const openStream = async (
  { url }: Pick<Listening, 'url'>,
  token: string,
  { query = '', headers = {}, method = 'GET' }: ListenOptions = {},
): Promise<StreamListener> => {
  const closing = new AbortController()
  const response = await fetch(`${url}/api/events/stream${query}`, {
    method,
    headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}`, ...headers },
    signal: closing.signal,
  })
  const messages: Message[] = []
  const comments: string[] = []
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  const ended = isStream ? readBlocks(response, messages, comments) : Promise.resolve()
  // The test that waits for the end sees a failure; others close the stream themselves.
  ended.catch(() => undefined)
  return {
    status: response.status,
    headers: response.headers,
    messages,
    comments,
    body: isStream ? undefined : await response.json(),
    ended,
    topics: (count) => eventually(() => messages.length >= count && messages.map(({ topic }) => topic)),
    close: async () => {
      closing.abort()
      await ended.catch(() => undefined)
    },
  }
}

const readBlocks = async ({ body }: Response, messages: Message[], comments: string[]): Promise<void> => {
  if (body === null) return
  let rest = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, id, data] = /^id: (\S+)\ndata: (.*)$/.exec(block) ?? []
      if (id === undefined || data === undefined) comments.push(block)
      else messages.push({ id, ...(JSON.parse(data) as Omit<Message, 'id'>) })
    }
  }
}

export interface StreamingCore {
  readonly core: TestCore
  readonly server: Listening
  follow(token: string, options?: ListenOptions): Promise<StreamListener>
  /** Events without a write, of environment 1 unless another is given. */
  emit(count: number, topic?: string, of?: { record?: number; environment?: number }): Promise<unknown>
  /** All of `follow`. */
  closeStreams(): Promise<void>
  close(): Promise<void>
}

export const openStreamingCore = async (name: string, streamLimits: StreamLimits): Promise<StreamingCore> => {
  const core = await openCore(name, { streamLimits })
  const server = await listen(core.app, { host: '127.0.0.1', port: 0 })
  const open: StreamListener[] = []
  return {
    core,
    server,
    follow: async (token, options) => {
      const stream = await openStream(server, token, options)
      open.push(stream)
      return stream
    },
    emit: (count, topic = 'customers.create', { record = 1, environment = 1 } = {}) =>
      core.pool.query(
        `INSERT INTO events (environment_id, name, resource_type, record_id)
        SELECT $4, $2, split_part($2, '.', 1), $3 FROM generate_series(1, $1::int)`,
        [count, topic, record, environment],
      ),
    closeStreams: async () => {
      for (const stream of open.splice(0)) await stream.close()
    },
    close: async () => {
      await server.close()
      await core.close()
    },
  }
}

const errorsIn = ({ body }: StreamListener): readonly SeenError[] =>
  (body as { readonly errors: readonly SeenError[] }).errors

/** Status, and code and source of each error. */
export const refusalOf = (stream: StreamListener) => [
  stream.status,
  ...errorsIn(stream).map(({ code, source }) => [code, source?.parameter ?? source?.header]),
]

export const detailsOf = (stream: StreamListener): string =>
  errorsIn(stream)
    .map(({ detail }) => detail)
    .join('\n')
