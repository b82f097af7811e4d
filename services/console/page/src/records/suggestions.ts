/** What the form of a record suggests for an attribute whose values core knows, but checks by itself. */
import topics from './topics.json' with { type: 'json' }

const SUGGESTED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  webhooks: { topic: topics },
}

export const suggestionsFor = (type: string, name: string): readonly string[] => SUGGESTED[type]?.[name] ?? []
