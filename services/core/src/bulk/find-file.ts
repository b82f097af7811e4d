/** The file of an export, or the inputs of an import, read in parts so that no file is held whole. */
import type { RunStatement } from '../engine/database/run-statement.ts'
import type { Registry } from '../engine/registry.ts'
import { findImportable } from './imports/importable.ts'
import type { Item } from './imports/read-inputs.ts'
import { secretNamesOf, withoutSecrets } from './imports/sealed-values.ts'
import type { SecretNames } from './imports/sealed-values.ts'

export interface StoredFile {
  readonly name: string
  readonly isCompressed: boolean
  readonly chunks: AsyncIterable<unknown>
}

const EXPORT = `SELECT id, environment_id, resource_type, format FROM exports
  WHERE file_key = $1 AND status = 'completed'`

const IMPORT = 'SELECT id, environment_id, resource_type, inputs_size FROM imports WHERE file_key = $1'

/** Undefined when no job has this key, or its file is not complete. */
export const findFile = async (
  key: string,
  run: RunStatement,
  registry: Registry,
): Promise<StoredFile | undefined> => {
  const [exported] = await run({ text: EXPORT, values: [key] })
  if (exported !== undefined) {
    const name = `${String(exported['resource_type'])}.${String(exported['format'])}.gz`
    return { name, isCompressed: true, chunks: partsOf(exported, run) }
  }
  const [imported] = await run({ text: IMPORT, values: [key] })
  if (imported === undefined) return undefined
  const name = `${String(imported['resource_type'])}.json.gz`
  return { name, isCompressed: false, chunks: inputsOf(imported, run, secretsOf(imported, registry)) }
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

/** Values that no answer shows, such as passwords, are not in the file either. */
const secretsOf = (row: Row, registry: Registry): SecretNames => {
  const type = String(row['resource_type'])
  return secretNamesOf(registry.require(type), findImportable(type) ?? {}, registry)
}

async function* inputsOf(row: Row, run: RunStatement, secrets: SecretNames): AsyncGenerator<string> {
  const text = `SELECT jsonb_path_query_array(inputs, '$[$from to $to]',
      jsonb_build_object('from', $3::int, 'to', $4::int)) AS items
    FROM imports WHERE environment_id = $1 AND id = $2`
  const size = Number(row['inputs_size'])
  yield '['
  for (let from = 0; from < size; from += INPUTS_OF_CHUNK) {
    const values = [row['environment_id'], row['id'], from, from + INPUTS_OF_CHUNK - 1]
    const [slice] = await run({ text, values })
    const stored = Array.isArray(slice?.['items']) ? (slice['items'] as readonly Item[]) : []
    const items = withoutSecrets(stored, secrets)
    yield `${from === 0 ? '' : ',\n'}${items.map((item) => JSON.stringify(item)).join(',\n')}`
  }
  yield ']'
}
