/** The rows of a page whose numbers the WITH query `numbers` gives. */
import type { ResourceDefinition } from '@merx/jsonapi/define-resource'
import { identifier, qualified } from '../sql/identifiers.ts'
import type { Build } from '../sql/relations.ts'
import { selection } from '../sql/selection.ts'

export const rowsOfNumbers = (definition: ResourceDefinition, build: Build): string =>
  `SELECT ${selection(definition, 't', build)} FROM ${identifier(definition.table)} AS t
    WHERE t.environment_id = ${build.params.environment}
      AND ${qualified('t', 'id')} = ANY(ARRAY(SELECT numbers.id FROM numbers))`
