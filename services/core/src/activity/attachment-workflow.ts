/** Writes of attachments: the record stays while something is attached to it, because no foreign key says so. */
import { identifier } from '../engine/sql/identifiers.ts'
import type { WriteWorkflow } from '../engine/write/write-workflow.ts'

export const attachmentWorkflow: WriteWorkflow = {
  completesFrom: ['attachable'],

  complete: async (after, before, _request, { run, registry, scope }) => {
    const { attachable_type: type, attachable_id: number } = after
    if (before?.['attachable_type'] === type && before?.['attachable_id'] === number) return {}
    const { table } = registry.require(String(type))
    const text = `SELECT id FROM ${identifier(table)} WHERE environment_id = $1 AND id = $2 FOR KEY SHARE`
    const [record] = await run({ text, values: [scope.environmentId, number] })
    if (record !== undefined) return {}
    return {
      violations: [{ at: { relationship: 'attachable' }, error: 'noent', message: "doesn't exist" }],
    }
  },
}
