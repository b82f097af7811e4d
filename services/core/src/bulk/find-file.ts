/** The file of an export, or the inputs of an import, read in parts so that no file is held whole. */
import type { RowOf } from '../engine/database/rows.ts'
import type { RunStatement } from '../engine/database/run-statement.ts'
import type { Registry } from '../engine/registry.ts'
import type { Item } from './imports/import-item.ts'
import { findImportable } from './imports/importable.ts'
import { secretNamesOf, withoutSecrets } from './imports/sealed-values.ts'
import type { SecretNames } from './imports/sealed-values.ts'

export interface StoredFile {
  readonly name: string
  readonly isCompressed: boolean
  readonly chunks: AsyncIterable<unknown>
}

type ExportFile = Pick<RowOf<'Export'>, 'id' | 'environment_id' | 'resource_type' | 'format'>

const EXPORT = `SELECT id, environment_id, resource_type, format FROM exports
  WHERE file_key = $1 AND status = 'completed'`

type ImportFile = Pick<RowOf<'Import'>, 'id' | 'environment_id' | 'resource_type' | 'inputs_size'>

const IMPORT = 'SELECT id, environment_id, resource_type, inputs_size FROM imports WHERE file_key = $1'

/** Undefined when no job has this key, or its file is not complete. */
export const findFile = async (
  key: string,
  run: RunStatement,
  registry: Registry,
): Promise<StoredFile | undefined> => {
  const [exported] = await run<ExportFile>({ text: EXPORT, values: [key] })
  if (exported !== undefined) {
    const name = `${exported.resource_type}.${exported.format}.gz`
    return { name, isCompressed: true, chunks: partsOf(exported, run) }
  }
  const [imported] = await run<ImportFile>({ text: IMPORT, values: [key] })
  if (imported === undefined) return undefined
  const name = `${imported.resource_type}.json.gz`
  return { name, isCompressed: false, chunks: inputsOf(imported, run, secretsOf(imported, registry)) }
}

async function* partsOf(
  { id, environment_id: environmentId }: ExportFile,
  run: RunStatement,
): AsyncGenerator<unknown> {
  const text =
    'SELECT content FROM export_parts WHERE environment_id = $1 AND export_id = $2 AND position = $3'
  for (let position = 0; ; position += 1) {
    const [part] = await run<{ readonly content: unknown }>({ text, values: [environmentId, id, position] })
    if (part === undefined) return
    yield part.content
  }
}

const INPUTS_OF_CHUNK = 500

/** Values that no answer shows, such as passwords, are not in the file either. */
const secretsOf = ({ resource_type: type }: ImportFile, registry: Registry): SecretNames =>
  secretNamesOf(registry.require(type), findImportable(type) ?? {}, registry)

async function* inputsOf(row: ImportFile, run: RunStatement, secrets: SecretNames): AsyncGenerator<string> {
  const text = `SELECT jsonb_path_query_array(inputs, '$[$from to $to]',
      jsonb_build_object('from', $3::int, 'to', $4::int)) AS items
    FROM imports WHERE environment_id = $1 AND id = $2`
  yield '['
  for (let from = 0; from < row.inputs_size; from += INPUTS_OF_CHUNK) {
    const values = [row.environment_id, row.id, from, from + INPUTS_OF_CHUNK - 1]
    const [slice] = await run<{ readonly items: readonly Item[] | null }>({ text, values })
    const items = withoutSecrets(slice?.items ?? [], secrets)
    yield `${from === 0 ? '' : ',\n'}${items.map((item) => JSON.stringify(item)).join(',\n')}`
  }
  yield ']'
}
