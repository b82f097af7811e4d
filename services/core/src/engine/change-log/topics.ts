/** The topics that writes may emit: those that the area of the type lists, as `<type>.<event>`. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import type { Registry } from '../registry.ts'

type Topics = Pick<Registry, 'facts'>

/** The topic of something that happens to rows of every type, where the area lists it; otherwise none. */
export const generalTopics = (
  { type }: Pick<ResourceDefinition, 'type'>,
  event: 'create' | 'destroy' | 'tagged',
  { facts }: Topics,
): readonly string[] => (facts.topics[type]?.includes(event) === true ? [`${type}.${event}`] : [])

/**
 * The topics, each once; those of the abstract type are of its members too. Throws when the area of the type does not list
 * one of them: a mistake of the code.
 */
export const requireListed = (
  topics: readonly string[],
  { type, memberOf }: Pick<ResourceDefinition, 'type' | 'memberOf'>,
  { facts }: Topics,
): readonly string[] => {
  const listed = [type, ...(memberOf === undefined ? [] : [memberOf])].flatMap((name) =>
    (facts.topics[name] ?? []).map((event) => `${name}.${event}`),
  )
  for (const topic of topics)
    if (!listed.includes(topic))
      throw new Error(`${topic} is no topic of ${type}; its area lists ${listed.join(', ') || 'none'}`)
  return [...new Set(topics)]
}
