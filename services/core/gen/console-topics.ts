/**
 * Writes services/console/page/src/records/topics.json from the areas: the topics that the form of a webhook suggests.
 * `node services/core/gen/console-topics.ts`
 */
import { writeFile } from 'node:fs/promises'
import { areas } from '../src/areas.ts'

/** Where the list is kept. */
export const consoleTopicsPath = new URL('../../console/page/src/records/topics.json', import.meta.url)

export const renderConsoleTopics = (): string => {
  const topics = areas
    .flatMap(({ topics: ofArea = {} }) => Object.entries(ofArea))
    .flatMap(([type, events]) => events.map((event) => `${type}.${event}`))
    .toSorted((one, other) => (one < other ? -1 : 1))
  return `[\n${topics.map((topic) => JSON.stringify(topic)).join(',\n')}\n]\n`
}

if (import.meta.main) await writeFile(consoleTopicsPath, renderConsoleTopics())
