/** One export: how far it is, and its file. */
import { useMutation } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { formatTime } from '../data/format.ts'
import { useMay } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import { Loading, Problems } from '../parts/problems.tsx'
import { titleOf } from '../records/types.ts'
import { JobProgress } from './job-progress.tsx'
import { isRunning, problemsOfLog, saveExport, type Job } from './jobs.ts'
import { useJob } from './use-job.ts'

const About = ({ job: { attributes } }: { readonly job: Job }) => {
  const filters = Object.entries(attributes.filters ?? {})
  return (
    <dl className="card grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
      <dt className="text-soft">{t('Format')}</dt>
      <dd className="uppercase">{attributes.format}</dd>
      <dt className="text-soft">{t('Created at')}</dt>
      <dd>{formatTime(attributes.created_at)}</dd>
      {filters.length === 0 ? null : (
        <>
          <dt className="text-soft">{t('Filters')}</dt>
          <dd className="wrap-anywhere">
            {filters.map(([name, value]) => `${name} ${String(value)}`).join(', ')}
          </dd>
        </>
      )}
    </dl>
  )
}

const Download = ({ job }: { readonly job: Job }) => {
  const save = useMutation({ mutationFn: () => saveExport(job) })
  return (
    <>
      <button
        type="button"
        className="button primary self-start"
        disabled={save.isPending}
        onClick={() => save.mutate()}
      >
        {t('Download')}
      </button>
      {save.error === null ? null : <Problems error={save.error} />}
    </>
  )
}

export const ExportPage = () => {
  const { id } = useParams({ from: '/bulk/exports/$id' })
  const { job, error, trigger } = useJob('exports', id)
  const mayUpdate = useMay()('update', 'exports')
  if (job === undefined) return error === null ? <Loading of={t('the export')} /> : <Problems error={error} />
  const { status, resource_type: type, errors_log: log } = job.attributes
  const button = (name: '_interrupt' | '_start', label: string) => (
    <button
      type="button"
      className="button self-start"
      disabled={trigger.isPending}
      onClick={() => trigger.mutate(name)}
    >
      {label}
    </button>
  )
  return (
    <div className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">{t('Export of {type}', { type: titleOf(type) })}</h2>
      <JobProgress job={job} />
      {isRunning(job) && mayUpdate ? button('_interrupt', t('Cancel the export')) : null}
      {status === 'interrupted' && mayUpdate ? button('_start', t('Go on')) : null}
      {trigger.error === null ? null : <Problems error={trigger.error} />}
      {status === 'completed' ? <Download job={job} /> : null}
      {problemsOfLog(log).map(({ item, field, message }) => (
        <p key={`${item} ${field} ${message}`} className="text-bad">
          {[item, field, message].filter((part) => part !== '').join(': ')}
        </p>
      ))}
      <About job={job} />
      <Link to="/bulk/exports" className="self-start underline underline-offset-2">
        {t('All exports')}
      </Link>
    </div>
  )
}
