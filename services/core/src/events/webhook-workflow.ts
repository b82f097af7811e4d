/** Writes of webhooks: the default name, and the checks that need the list of topics and types. */
import { AppErrors } from '@merx/errors/app-error'
import { parseListQuery } from '@merx/jsonapi/parse-query'
import type { IncludeTree } from '@merx/jsonapi/query'
import type { WriteViolation } from '@merx/jsonapi/rules'
import { columnsOf } from '../engine/database/rows.ts'
import type { Registry } from '../engine/registry.ts'
import type { WriteWorkflow } from '../engine/write/write-workflow.ts'

/** `orders.place` → `orders` */
export const typeOfTopic = (topic: string): string => topic.split('.')[0] ?? ''

/** Every topic that some write may emit. */
export const allTopics = ({ facts }: Pick<Registry, 'facts'>): readonly string[] =>
  Object.entries(facts.topics)
    .flatMap(([type, events]) => events.map((event) => `${type}.${event}`))
    .sort()

/** Throws AppErrors when a path is none of the type. */
export const includeTreeOf = (paths: readonly string[], type: string, registry: Registry): IncludeTree =>
  paths.length === 0
    ? {}
    : parseListQuery(`include=${encodeURIComponent(paths.join(','))}`, registry.require(type), registry)
        .include

/** Of a known type the topics of the type are named, otherwise the types that have topics. */
export const whyNoTopic = (topic: string, registry: Pick<Registry, 'facts'>): string | undefined => {
  const topics = allTopics(registry)
  if (topics.includes(topic)) return undefined
  const type = typeOfTopic(topic)
  const ofType = topics.filter((each) => typeOfTopic(each) === type)
  const types = [...new Set(topics.map(typeOfTopic))].join(', ')
  const allowed =
    ofType.length > 0 ? `allowed for ${type}: ${ofType.join(', ')}` : `types that have topics: ${types}`
  return `is no topic; ${allowed}`
}

const topicViolation = (topic: unknown, registry: Registry): readonly WriteViolation[] => {
  const message = typeof topic !== 'string' || topic === '' ? undefined : whyNoTopic(topic, registry)
  return message === undefined
    ? []
    : [{ at: { attribute: 'topic' }, error: 'inclusion', message, value: topic }]
}

const AT_INCLUDES = { attribute: 'include_resources' }

const includeViolations = (paths: unknown, topic: unknown, registry: Registry): readonly WriteViolation[] => {
  if (!Array.isArray(paths)) return []
  if (!paths.every((path) => typeof path === 'string'))
    return [
      { at: AT_INCLUDES, error: 'invalid', message: 'must be a list of paths, such as "line_items.item"' },
    ]
  const type = typeof topic === 'string' ? typeOfTopic(topic) : ''
  if (registry.find(type) === undefined) return []
  try {
    includeTreeOf(paths, type, registry)
    return []
  } catch (error) {
    if (!(error instanceof AppErrors)) throw error
    return error.errors.map(({ detail }) => ({
      at: AT_INCLUDES,
      error: 'invalid',
      message: detail ?? 'is invalid',
    }))
  }
}

export const webhookWorkflow: WriteWorkflow = {
  completesFrom: ['topic', 'include_resources'],

  complete: async (after, before, _request, { registry }) => {
    const { topic, include_resources: includes } = columnsOf('Webhook', after)
    const known = before === undefined ? {} : columnsOf('Webhook', before)
    const isNewTopic = topic !== known.topic
    return {
      violations: [
        ...(isNewTopic ? topicViolation(topic, registry) : []),
        ...(isNewTopic || includes !== known.include_resources
          ? includeViolations(includes, topic, registry)
          : []),
      ],
    }
  },

  consequences: async ({ definition, number, after }, _request, { registry }) => {
    const isNamed = after === undefined || (after['name'] ?? '') !== ''
    return isNamed ? {} : { set: { name: `Webhook ${registry.ids.encode(definition.type, number)}` } }
  },
}
