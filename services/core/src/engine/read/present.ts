/** The last step of reading a document: types whose records show something in place of their columns. */
import type { Reading } from './read-includes.ts'

export const present = async (reading: Reading): Promise<void> => {
  for (const [type, presentation] of Object.entries(reading.registry.facts.presentations)) {
    const records = reading.records.ofType(type)
    if (records.length > 0) await presentation(records, reading)
  }
}
