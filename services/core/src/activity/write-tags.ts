/** Tags of a record: the set that was sent, then names added, then names removed; at most as many as the setting says. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { toValidationError } from '@merx/jsonapi/validation-errors'
import type { WriteRequest } from '@merx/jsonapi/write-request'
import { identifier } from '../engine/sql/identifiers.ts'
import type { ExtensionWrite, WorkflowStep, WriteExtension } from '../engine/write/write-workflow.ts'
import { readSetting } from '../markets/settings.ts'

type Tagging = Pick<WorkflowStep, 'run' | 'scope'>

/** Names longer than any tag's are dropped unread. */
const NAMES_MAX = 200

/** Blank and repeated names say nothing; unknown ones are dropped in SQL. */
const namesOf = (list: unknown): readonly string[] =>
  typeof list === 'string'
    ? [...new Set(list.split(',', NAMES_MAX).map((name) => name.trim()))].filter((name) => name !== '')
    : []

const isSent = (request: WriteRequest): boolean =>
  request.toMany.has('tags') || request.triggers.has('_add_tags') || request.triggers.has('_remove_tags')

/** The numbers of a record's tags; undefined when the type has none. */
const readTags = async ({ definition, number, step }: ExtensionWrite): Promise<string | undefined> => {
  const { run, scope } = step
  const column = columnOf(definition)
  if (column === undefined) return undefined
  const text = `SELECT coalesce(string_agg(tag_id::text, ',' ORDER BY tag_id), '') AS tags FROM taggings
    WHERE environment_id = $1 AND ${identifier(column)} = $2`
  const [row] = await run<{ readonly tags: string }>({ text, values: [scope.environmentId, number] })
  return row?.tags
}

/** Throws AppError `validation_error` on too many. */
const writeTags = async ({ definition, number, request, step }: ExtensionWrite): Promise<void> => {
  const column = columnOf(definition)
  if (column === undefined) return
  const { run, scope } = step
  const name = identifier(column)
  const added = namesOf(request.triggers.get('_add_tags'))
  const removed = namesOf(request.triggers.get('_remove_tags'))
  if (added.length > 0) {
    const text = `INSERT INTO taggings (environment_id, ${name}, tag_id)
      SELECT $1, $2, id FROM tags WHERE environment_id = $1 AND name = ANY($3::text[])
      ON CONFLICT (environment_id, ${name}, tag_id) DO NOTHING`
    await run({ text, values: [scope.environmentId, number, added] })
  }
  if (removed.length > 0) {
    const text = `DELETE FROM taggings USING tags WHERE taggings.environment_id = $1 AND taggings.${name} = $2
      AND tags.environment_id = $1 AND tags.id = taggings.tag_id AND tags.name = ANY($3::text[])`
    await run({ text, values: [scope.environmentId, number, removed] })
  }
  await refuseTooMany(name, number, request, step)
}

const refuseTooMany = async (
  column: string,
  number: number,
  request: WriteRequest,
  tagging: Tagging,
): Promise<void> => {
  const { run, scope } = tagging
  const text = `SELECT count(*) AS count FROM taggings WHERE environment_id = $1 AND ${column} = $2`
  const [row] = await run<{ readonly count: number }>({ text, values: [scope.environmentId, number] })
  const count = Number(await readSetting('tags_max_allowed_number', tagging))
  if ((row?.count ?? 0) <= count) return
  const message = `are too many (maximum is ${count})`
  const at = request.toMany.has('tags') ? { relationship: 'tags' } : { attribute: '_add_tags' }
  throw toValidationError({ at, error: 'too_many', message, count })
}

const columnOf = ({ relationships }: ResourceDefinition): string | undefined => {
  const { tags } = relationships
  return tags?.kind === 'toMany' ? tags.through?.from : undefined
}

/** `tags`, `_add_tags` and `_remove_tags` of every type that can be tagged. */
export const tagging: WriteExtension = { event: 'tagged', isSent, read: readTags, write: writeTags }
