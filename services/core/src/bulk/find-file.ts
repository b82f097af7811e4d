/** The file of an export, or the inputs of an import, read in parts so that no file is held whole. */
import type { RunStatement } from '../engine/database/run-statement.ts'

export interface StoredFile {
  readonly name: string
  readonly isCompressed: boolean
  readonly chunks: AsyncIterable<unknown>
}

const EXPORT = `SELECT id, environment_id, resource_type, format FROM exports
  WHERE file_key = $1 AND status = 'completed'`

const IMPORT = 'SELECT id, environment_id, resource_type, inputs_size FROM imports WHERE file_key = $1'

/** Undefined when no job has this key, or its file is not complete. */
export const findFile = async (key: string, run: RunStatement): Promise<StoredFile | undefined> => {
  const [exported] = await run({ text: EXPORT, values: [key] })
  if (exported !== undefined) {
    const name = `${String(exported['resource_type'])}.${String(exported['format'])}.gz`
    return { name, isCompressed: true, chunks: partsOf(exported, run) }
  }
  const [imported] = await run({ text: IMPORT, values: [key] })
  if (imported === undefined) return undefined
  const name = `${String(imported['resource_type'])}.json.gz`
  return { name, isCompressed: false, chunks: inputsOf(imported, run) }
}

type Row = Readonly<Record<string, unknown>>

async function* partsOf(
  { id, environment_id: environmentId }: Row,
  run: RunStatement,
): AsyncGenerator<unknown> {
  const text =
    'SELECT content FROM export_parts WHERE environment_id = $1 AND export_id = $2 AND position = $3'
  for (let position = 0; ; position += 1) {
    const [part] = await run({ text, values: [environmentId, id, position] })
    if (part === undefined) return
    yield part['content']
  }
}

const INPUTS_OF_CHUNK = 500

async function* inputsOf(row: Row, run: RunStatement): AsyncGenerator<string> {
  const text = `SELECT jsonb_path_query_array(inputs, '$[$from to $to]',
      jsonb_build_object('from', $3::int, 'to', $4::int)) AS items
    FROM imports WHERE environment_id = $1 AND id = $2`
  const size = Number(row['inputs_size'])
  yield '['
  for (let from = 0; from < size; from += INPUTS_OF_CHUNK) {
    const values = [row['environment_id'], row['id'], from, from + INPUTS_OF_CHUNK - 1]
    const [slice] = await run({ text, values })
    const items = Array.isArray(slice?.['items']) ? slice['items'] : []
    yield `${from === 0 ? '' : ',\n'}${items.map((item) => JSON.stringify(item)).join(',\n')}`
  }
  yield ']'
}
