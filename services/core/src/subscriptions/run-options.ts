/** What `options` of a subscription may say: whether a run that failed is repeated before the next regular one. */
import type { Rule } from '@merx/jsonapi/rules'
import { compile } from '@merx/validation/compile'

export interface RunOptions {
  /** Of one occurrence. Default: 0. */
  readonly max_retries?: number
  /** Before each of them. Default: 24. */
  readonly retry_after_hours?: number
  /** As the attribute of the same name, which it had before. */
  readonly place_target_order?: boolean
}

const LIMITS = 'max_retries (0 to 10), retry_after_hours (1 to 720), place_target_order (true or false)'

const parse = compile<RunOptions>({
  type: 'object',
  properties: {
    max_retries: { type: 'integer', minimum: 0, maximum: 10 },
    retry_after_hours: { type: 'integer', minimum: 1, maximum: 720 },
    place_target_order: { type: 'boolean' },
  },
  additionalProperties: false,
})

export const runOptions: Rule = ({ sent, after }) => {
  const { options = null } = after
  if (!sent.has('options') || options === null) return {}
  const parsed = parse(options)
  if (!parsed.ok) {
    const message = `may have ${LIMITS}`
    return { violations: [{ at: { attribute: 'options' }, error: 'invalid', message, value: options }] }
  }
  const { place_target_order: places } = parsed.value
  return places === undefined || sent.has('place_target_order') ? {} : { set: { place_target_order: places } }
}

const HOUR_MS = 3_600_000

/** When the run that failed is repeated; undefined when it is not. `retries` were made before. */
export const retryAt = (options: unknown, retries: number, now: Date): Date | undefined => {
  const parsed = parse(options ?? {})
  const { max_retries: max = 0, retry_after_hours: hours = 24 } = parsed.ok ? parsed.value : {}
  return retries < max ? new Date(now.getTime() + hours * HOUR_MS) : undefined
}
