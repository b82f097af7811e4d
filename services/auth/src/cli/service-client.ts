/** Calls of the internal listener of another service: from the environment, or from the running system of `npm start`. */
import { ConfigError } from '@merx/config/config-error'
import { secret, url } from '@merx/config/fields'
import { loadConfig, type Environment } from '@merx/config/load-config'
import { InternalCallError } from '@merx/http/internal-call-error'
import { createInternalClient, type InternalClient } from '@merx/http/internal-client'
import { createLogger } from '@merx/telemetry/logger'
import { compile } from '@merx/validation/compile'
import { CliError, EXIT } from './cli-error.ts'
import { readSystemEnvironment } from './connection.ts'

const SERVICE_KEY = secret({ help: 'Shared by the services for internal calls.' })
const HTTP = ['http', 'https'] as const

const SCHEMAS = {
  metrics: {
    METRICS_INTERNAL_URL: url({ protocols: HTTP, help: 'Internal address of metrics.' }),
    SERVICE_KEY,
  },
  core: { CORE_INTERNAL_URL: url({ protocols: HTTP, help: 'Internal address of core.' }), SERVICE_KEY },
}

export type CalledService = keyof typeof SCHEMAS

const TIMEOUT_MS = 30_000

const loadAddress = (service: CalledService, env: Environment) => {
  const variable = service === 'metrics' ? 'METRICS_INTERNAL_URL' : 'CORE_INTERNAL_URL'
  const hint = `${variable} to where ${service} listens for the other services, and SERVICE_KEY`
  const isNamed = (env[variable] ?? '') !== ''
  const known = isNamed ? env : { ...env, ...readSystemEnvironment(env, hint) }
  try {
    if (service === 'core') {
      const { coreInternalUrl: address, serviceKey: key } = loadConfig(SCHEMAS.core, known)
      return { address, key }
    }
    const { metricsInternalUrl: address, serviceKey: key } = loadConfig(SCHEMAS.metrics, known)
    return { address, key }
  } catch (error) {
    if (error instanceof ConfigError) throw new CliError(error.violations.join('\n'), EXIT.usage)
    throw error
  }
}

const parseErrors = compile<{ readonly errors: readonly { readonly detail: string }[] }>({
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'array',
      minItems: 1,
      items: { type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } },
    },
  },
})

/** What the service said to whoever asked for something that is not there, or not possible. */
const detailOf = ({ status, body }: InternalCallError): string | undefined => {
  if (status !== 404 && status !== 422) return undefined
  const result = parseErrors(body)
  return result.ok ? result.value.errors.map(({ detail }) => detail).join('\n') : undefined
}

/** Throws CliError when nothing says where the service is; the calls throw one when it does not answer or refuses. */
export const openService = (
  service: CalledService,
  env: Environment,
): Pick<InternalClient, 'get' | 'post'> => {
  const { address, key } = loadAddress(service, env)
  const name = `${service.slice(0, 1).toUpperCase()}${service.slice(1)}`
  const log = createLogger({ service: 'merx', level: 'silent' })
  const client = createInternalClient({ url: address, key, timeoutMs: TIMEOUT_MS, log })
  const failureOf = (cause: unknown): CliError => {
    const refused = cause instanceof InternalCallError ? cause : undefined
    const detail = refused === undefined ? undefined : detailOf(refused)
    if (detail !== undefined)
      return new CliError(detail, refused?.status === 422 ? EXIT.usage : EXIT.failed, { cause })
    if (refused?.status === 401)
      return new CliError(`${name} does not take this SERVICE_KEY.`, EXIT.failed, { cause })
    if (refused?.status !== undefined)
      return new CliError(`${name} answers ${refused.status}; its log says why.`, EXIT.failed, { cause })
    return new CliError(`${name} does not answer at ${address}.`, EXIT.failed, { cause })
  }
  const orFailure = <T>(call: Promise<T>): Promise<T> =>
    call.catch((cause: unknown) => {
      throw failureOf(cause)
    })
  return {
    get: (path: string, options?: object) => orFailure(client.get(path, options)),
    post: (path: string, body: unknown, options?: object) => orFailure(client.post(path, body, options)),
  }
}
