/** Checks that an error is in the format of its interface, complete, and reveals nothing internal. */
import type { Reply } from '../../support/send.ts'
import type { JsonApiErrors, MetricsError, OAuthErrors } from '../../support/wire.ts'
import type { ServiceName } from './service-process.ts'

/** After these a client comes back, so they have to say when. */
const TEMPORARY = new Set([429, 503])
const INSIDE = /node_modules|ECONN|EPIPE|SELECT |ClickHouse|chdb|postgres|prisma|redis|\bat .+:\d+:\d+/i

const MEDIA_TYPES: Readonly<Record<ServiceName, RegExp>> = {
  auth: /^application\/json/,
  core: /^application\/vnd\.api\+json/,
  metrics: /^application\/(vnd\.api(\.v1)?\+)?json/,
}

const statusIn: Readonly<Record<ServiceName, (reply: Reply) => unknown>> = {
  auth: (reply) => {
    const { error, error_description: description, errors } = reply.json<OAuthErrors>()
    return error !== '' && description !== '' ? errors[0]?.status : undefined
  },
  core: (reply) => Number(reply.json<JsonApiErrors>().errors[0]?.status),
  metrics: (reply) => reply.json<MetricsError>().error.status,
}

const statusSaid = (name: ServiceName, reply: Reply): unknown => {
  try {
    return statusIn[name](reply)
  } catch {
    return 'nothing' // another dialect, or no JSON at all: the caller shows the text
  }
}

/** @returns what is wrong with a refusal, or undefined. */
export const problemOfRefusal = (name: ServiceName, reply: Reply): string | undefined => {
  const answer = `${name} ${reply.status}`
  if (INSIDE.test(reply.text)) return `${answer} tells of the inside: ${reply.text.slice(0, 200)}`
  const type = reply.headers['content-type'] ?? 'no type'
  if (!MEDIA_TYPES[name].test(type)) return `${answer} is ${type}: ${reply.text.slice(0, 120)}`
  if (TEMPORARY.has(reply.status) && !/^\d+$/.test(reply.headers['retry-after'] ?? ''))
    return `${answer} has no Retry-After: ${reply.text.slice(0, 160)}`
  if (reply.headers['x-request-id'] === undefined) return `${answer} has no X-Request-Id`
  const said = statusSaid(name, reply)
  return said === reply.status
    ? undefined
    : `${answer} says ${String(said)} in its body: ${reply.text.slice(0, 160)}`
}
