/** The imports or exports of the shop, the newest first; those that run are asked about again. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { formatCount, formatTime } from '../data/format.ts'
import { useMay } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import { Pages } from '../parts/pages.tsx'
import { Loading, Problems } from '../parts/problems.tsx'
import { State } from '../parts/state.tsx'
import { Table } from '../parts/table.tsx'
import { titleOf } from '../records/types.ts'
import { isRunning, progressOf, readJobs, type Job, type JobType } from './jobs.ts'

const REFRESH_MS = 2_000

const Row = ({ type, job }: { readonly type: JobType; readonly job: Job }) => {
  const { attributes, id } = job
  const { done, all } = progressOf(job)
  return (
    <tr>
      <td>
        <Link to={`/bulk/${type}/$id`} params={{ id }} className="font-semibold underline underline-offset-2">
          {titleOf(attributes.resource_type)}
        </Link>
      </td>
      <td>{formatTime(attributes.created_at)}</td>
      <td>
        <State state={attributes.status} />
      </td>
      <td className="number">{t('{done} of {all}', { done: formatCount(done), all: formatCount(all) })}</td>
      {type === 'imports' ? (
        <td className="number">{formatCount(attributes.errors_count ?? 0)}</td>
      ) : (
        <td className="uppercase">{attributes.format}</td>
      )}
    </tr>
  )
}

const HEADS: Readonly<Record<JobType, () => readonly string[]>> = {
  imports: () => [t('Type'), t('Created at'), t('Status'), t('Records'), t('Errors')],
  exports: () => [t('Type'), t('Created at'), t('Status'), t('Records'), t('Format')],
}

const EMPTY: Readonly<Record<JobType, () => string>> = {
  imports: () => t('Nothing was imported yet.'),
  exports: () => t('Nothing was exported yet.'),
}

interface JobListProps {
  readonly type: JobType
  readonly page: number
}

const JobList = ({ type, page }: JobListProps) => {
  const mayCreate = useMay()('create', type)
  const { data, error } = useQuery({
    queryKey: ['jobs', type, page],
    queryFn: () => readJobs(type, page),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isRunning) === true ? REFRESH_MS : false),
  })
  return (
    <div className="flex flex-col gap-4">
      {mayCreate ? (
        <Link to={`/bulk/${type}/new`} className="button primary self-start">
          {type === 'imports' ? t('New import') : t('New export')}
        </Link>
      ) : null}
      {error === null ? null : <Problems error={error} />}
      {data === undefined && error === null ? <Loading of={titleOf(type)} /> : null}
      {data === undefined ? null : data.data.length === 0 ? (
        <p className="card">{EMPTY[type]()}</p>
      ) : (
        <>
          <Table label={titleOf(type)} heads={HEADS[type]()}>
            {data.data.map((job) => (
              <Row key={job.id} type={type} job={job} />
            ))}
          </Table>
          <Pages
            page={page}
            pageCount={data.meta.page_count}
            linkTo={(to, label) => (
              <Link to={`/bulk/${type}`} search={{ page: to }} className="button">
                {label}
              </Link>
            )}
          />
        </>
      )}
    </div>
  )
}

export const ImportList = () => (
  <JobList type="imports" page={useSearch({ from: '/bulk/imports' }).page ?? 1} />
)

export const ExportList = () => (
  <JobList type="exports" page={useSearch({ from: '/bulk/exports' }).page ?? 1} />
)
