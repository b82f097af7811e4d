/** Writes of tags: the longest name is a setting of the organization. */
import type { WriteWorkflow } from '../engine/write/write-workflow.ts'
import { readSetting } from '../markets/settings.ts'

export const tagWorkflow: WriteWorkflow = {
  completesFrom: ['name'],

  complete: async ({ name }, before, _request, step) => {
    if (typeof name !== 'string' || before?.['name'] === name) return {}
    const count = Number(await readSetting('tags_max_name_length', step))
    if (name.length <= count) return {}
    const message = `is too long (maximum is ${count} characters)`
    return { violations: [{ at: { attribute: 'name' }, error: 'too_long', message, count }] }
  },
}
