/** Imports and exports: core's background jobs, their progress and their files. */
import { Gunzip } from 'fflate'
import { Refused } from '../data/answers.ts'
import { askCore } from '../data/api.ts'
import { t } from '../language/text.ts'
import { saveFile } from '../parts/csv.ts'
import type { CoreRecord } from '../records/types.ts'

export type JobType = 'imports' | 'exports'

export interface Job {
  readonly id: string
  readonly type: string
  readonly attributes: {
    readonly resource_type: string
    readonly format: string
    readonly status: string
    readonly created_at: string
    readonly started_at: string | null
    readonly completed_at: string | null
    readonly processed_count: number
    /** Of imports. */
    readonly inputs_size?: number
    readonly errors_count?: number
    readonly warnings_count?: number
    readonly skip_errors?: boolean
    readonly errors_log?: Readonly<Record<string, unknown>>
    readonly warnings_log?: Readonly<Record<string, unknown>>
    /** Of exports. */
    readonly records_count?: number
    readonly filters?: Readonly<Record<string, unknown>>
    readonly fields?: readonly string[]
    readonly attachment_url?: string | null
  }
}

export interface JobPage {
  readonly data: readonly Job[]
  readonly meta: { readonly record_count: number; readonly page_count: number }
}

const COMMON = ['resource_type', 'format', 'status', 'created_at', 'processed_count']
const LISTED: Readonly<Record<JobType, readonly string[]>> = {
  imports: [...COMMON, 'inputs_size', 'errors_count', 'warnings_count'],
  exports: [...COMMON, 'records_count'],
}

/** Without the logs of errors, which can be long. @throws Refused */
export const readJobs = (type: JobType, page: number): Promise<JobPage> => {
  const query = new URLSearchParams({
    [`fields[${type}]`]: LISTED[type].join(','),
    sort: '-created_at',
    'page[size]': '25',
    'page[number]': String(page),
  })
  return askCore<JobPage>(`${type}?${query.toString()}`)
}

interface JobDocument {
  readonly data: Job
}

/** @throws Refused */
export const readJob = async (type: JobType, id: string): Promise<Job> =>
  (await askCore<JobDocument>(`${type}/${encodeURIComponent(id)}`)).data

/** @throws Refused */
export const startJob = async (
  type: JobType,
  attributes: Readonly<Record<string, unknown>>,
): Promise<CoreRecord> =>
  (
    await askCore<{ readonly data: CoreRecord }>(type, {
      ...{ method: 'POST', body: { data: { type, attributes } } },
    })
  ).data

/** @throws Refused */
export const triggerJob = (type: JobType, id: string, trigger: '_interrupt' | '_start'): Promise<unknown> =>
  askCore(`${type}/${encodeURIComponent(id)}`, {
    ...{ method: 'PATCH', body: { data: { type, id, attributes: { [trigger]: true } } } },
  })

export const isRunning = ({ attributes: { status } }: Job): boolean =>
  status === 'pending' || status === 'in_progress'

/** How far it is. */
export const progressOf = ({ attributes }: Job): { readonly done: number; readonly all: number } => ({
  done: attributes.processed_count + (attributes.errors_count ?? 0),
  all: attributes.inputs_size ?? attributes.records_count ?? 0,
})

export interface LoggedProblem {
  readonly item: string
  readonly field: string
  readonly message: string
}

const messagesOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : [value]).map(String)

/** Core's log, `{ SHIRT: { name: ["can't be blank"] } }`, as a line for each message. */
export const problemsOfLog = (log: Readonly<Record<string, unknown>> = {}): readonly LoggedProblem[] =>
  Object.entries(log).flatMap(([item, fields]) =>
    typeof fields === 'object' && fields !== null && !Array.isArray(fields)
      ? Object.entries(fields).flatMap(([field, messages]: [string, unknown]) =>
          messagesOf(messages).map((message) => ({ item, field, message })),
        )
      : messagesOf(fields).map((message) => ({ item, field: '', message })),
  )

/** Exports are written in steps, each a gzip member: the browser's own decompression takes only the first. */
export const unzip = (compressed: Uint8Array<ArrayBuffer>): Blob => {
  const parts: BlobPart[] = []
  const gunzip = new Gunzip((part) => parts.push(part))
  gunzip.push(compressed, true)
  return new Blob(parts)
}

/** The file of a job. Its address is good for five minutes, so it is asked for now. @throws Refused */
const readFile = async (type: JobType, id: string): Promise<Blob> => {
  const { attachment_url: address } = (await readJob(type, id)).attributes
  const refuse = (status: number, detail: string) => new Refused(status, [{ title: t('No file'), detail }])
  if (typeof address !== 'string')
    throw refuse(403, t('Only who asked for it, or may read all that is in it, gets its file.'))
  const { pathname, search } = new URL(address)
  const response = await fetch(`${pathname}${search}`)
  if (!response.ok)
    throw refuse(response.status, t('The service answered {status}.', { status: response.status }))
  return unzip(new Uint8Array(await response.arrayBuffer()))
}

/** @throws Refused */
export const saveExport = async ({ id, attributes: { resource_type: type, format } }: Job): Promise<void> =>
  saveFile(await readFile('exports', id), `${type}.${format}`)

/** An item of an import in CSV: name of the column → cell; null in place of a password. */
export type CsvItem = Readonly<Record<string, string | null>>

/** What was given to an import in CSV. @throws Refused */
export const readItems = async (id: string): Promise<readonly CsvItem[]> =>
  JSON.parse(await (await readFile('imports', id)).text()) as readonly CsvItem[]
