/** What GET /api/events/stream takes: `topics` and `from`. */
import { AppError, AppErrors } from '@merx/errors/app-error'
import { parseQueryString } from '@merx/jsonapi/query-string'
import type { QueryParameter } from '@merx/jsonapi/query-string'
import type { Registry } from '../engine/registry.ts'
import { whyNoTopic } from '../events/webhook-workflow.ts'

export const EVENT_STREAM_TYPE = 'text/event-stream'
export const START = 'start'
export const TOPICS_MAX = 100

export interface StreamQuery {
  readonly topics: ReadonlySet<string> | undefined
  readonly isFromStart: boolean
}

/** Throws AppErrors with everything that is wrong. */
export const parseStreamQuery = (query: string, registry: Registry): StreamQuery => {
  const violations: AppError[] = []
  const parameters = parseQueryString(query, (violation) => violations.push(violation))
  violations.push(...parameters.flatMap((parameter) => violationsOf(parameter, registry)))
  if (violations.length > 0) throw new AppErrors(violations)
  const topics = parameters.find(({ name }) => name === 'topics')
  return {
    topics: topics === undefined ? undefined : topicsOf(topics.value),
    isFromStart: parameters.some(({ name }) => name === 'from'),
  }
}

const topicsOf = (value: string): ReadonlySet<string> =>
  new Set(value.split(',').map((topic) => topic.trim()))

const violationsOf = ({ name, value }: QueryParameter, registry: Registry): readonly AppError[] => {
  const source = { parameter: name.slice(0, 100) }
  switch (name) {
    case 'topics':
      return reasonsAgainst(topicsOf(value), registry).map(
        (detail) => new AppError('invalid_filter_value', { detail, source }),
      )
    case 'from': {
      if (value === START) return []
      const detail = `"from" takes only "${START}": all events that are kept; without it the stream begins now`
      return [new AppError('invalid_filter_value', { detail, source })]
    }
    default: {
      const detail = `"${source.parameter}" is not allowed; the stream takes topics and from`
      return [new AppError('param_not_allowed', { detail, source })]
    }
  }
}

const reasonsAgainst = (topics: ReadonlySet<string>, registry: Registry): readonly string[] => {
  if (topics.size > TOPICS_MAX) return [`"topics" takes at most ${TOPICS_MAX} topics`]
  return [...topics].flatMap((topic) => {
    const reason = whyNoTopic(topic, registry)
    return reason === undefined ? [] : [`"${topic.slice(0, 100)}" ${reason}`]
  })
}
