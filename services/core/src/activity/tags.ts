import { text } from '@merx/jsonapi/attributes'
import { defineResource } from '@merx/jsonapi/define-resource'
import { ALL_OPERATIONS } from '../definitions/shapes.ts'
import { audited } from '../definitions/shared-relationships.ts'

/** The longest name the database keeps; the setting `tags_max_name_length` may be less. */
export const TAG_NAME_CHARACTERS_MAX = 25

/** A word that marks records; deleting it takes it off all of them. */
export const tags = defineResource('tags', {
  summary: 'A word that marks records.',
  model: 'tag',
  operations: ALL_OPERATIONS,
  scope: 'environment',
  attributes: {
    name: text({
      write: 'always',
      required: true,
      max: TAG_NAME_CHARACTERS_MAX,
      pattern: /^[0-9A-Za-z_-]+$/,
      unique: true,
      filter: true,
      sort: true,
    }),
  },
  relationships: audited,
})
