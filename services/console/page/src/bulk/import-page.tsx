/** One import: how far it is, what it wrote, and what of it was refused. */
import { useMutation } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { formatCount, formatTime } from '../data/format.ts'
import { useMay } from '../data/permissions.ts'
import { t } from '../language/text.ts'
import { ConfirmButton } from '../parts/confirm-button.tsx'
import { saveCsv } from '../parts/csv.ts'
import { Loading, Problems } from '../parts/problems.tsx'
import { Table } from '../parts/table.tsx'
import { titleOf } from '../records/types.ts'
import { JobProgress } from './job-progress.tsx'
import { isRunning, problemsOfLog, readItems, type Job, type LoggedProblem } from './jobs.ts'
import { unwrittenRows } from './unwritten.ts'
import { useJob } from './use-job.ts'

const SHOWN = 100

const save = (problems: readonly LoggedProblem[], name: string): void => {
  const rows = problems.map(({ item, field, message }) => [item, field, message])
  saveCsv([['item', 'field', 'message'], ...rows], name)
}

interface LogProps {
  readonly title: string
  readonly problems: readonly LoggedProblem[]
  readonly fileName: string
  readonly download: string
}

const Log = ({ title, problems, fileName, download }: LogProps) =>
  problems.length === 0 ? null : (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-lg font-semibold">{title}</h3>
        <button type="button" className="button" onClick={() => save(problems, fileName)}>
          {download}
        </button>
      </div>
      <Table label={title} heads={[t('Record'), t('Field'), t('Problem')]}>
        {problems.slice(0, SHOWN).map(({ item, field, message }) => (
          <tr key={`${item} ${field} ${message}`}>
            <td className="wrap-anywhere">{item}</td>
            <td>{field}</td>
            <td className="wrap-anywhere">{message}</td>
          </tr>
        ))}
      </Table>
      {problems.length > SHOWN ? (
        <p className="text-soft">
          {t('The first {shown} of {all}; the file has all of them.', {
            ...{ shown: SHOWN, all: formatCount(problems.length) },
          })}
        </p>
      ) : null}
    </section>
  )

/** The rows of a CSV file that were refused or not reached, to correct and import again. */
const Unwritten = ({ job: { id, attributes } }: { readonly job: Job }) => {
  const save = useMutation({
    mutationFn: async () =>
      saveCsv(unwrittenRows(await readItems(id), attributes), `${attributes.resource_type}-to-correct.csv`),
  })
  return (
    <>
      <p>
        {t(
          'The file of rows that were not written has what is wrong with each in its last column, which an import leaves out. Correct them and import that file.',
        )}
      </p>
      <button
        type="button"
        className="button self-start"
        disabled={save.isPending}
        onClick={() => save.mutate()}
      >
        {t('Download the rows that were not written')}
      </button>
      {save.error === null ? null : <Problems error={save.error} />}
    </>
  )
}

const Outcome = ({ job }: { readonly job: Job }) => {
  const {
    processed_count: written,
    errors_count: errors = 0,
    warnings_count: warnings = 0,
    inputs_size: all = 0,
    ...attributes
  } = job.attributes
  return (
    <>
      <dl className="card grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        <dt className="text-soft">{t('Written')}</dt>
        <dd>{formatCount(written)}</dd>
        <dt className="text-soft">{t('Errors')}</dt>
        <dd>{formatCount(errors)}</dd>
        <dt className="text-soft">{t('Warnings')}</dt>
        <dd>{formatCount(warnings)}</dd>
        <dt className="text-soft">{t('Created at')}</dt>
        <dd>{formatTime(attributes.created_at)}</dd>
      </dl>
      {attributes.status === 'interrupted' ? (
        <p className="text-warn">
          {attributes.skip_errors === true
            ? t('It was interrupted. What was written before stays.')
            : t(
                'It was interrupted, by somebody or by errors in more than a tenth of the records. What was written before stays.',
              )}
        </p>
      ) : null}
      {written < all && attributes.format === 'csv' ? <Unwritten job={job} /> : null}
    </>
  )
}

export const ImportPage = () => {
  const { id } = useParams({ from: '/bulk/imports/$id' })
  const { job, error, trigger } = useJob('imports', id)
  const mayUpdate = useMay()('update', 'imports')
  if (job === undefined) return error === null ? <Loading of={t('the import')} /> : <Problems error={error} />
  const { resource_type: type, errors_log: errors, warnings_log: warnings } = job.attributes
  return (
    <div className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">{t('Import of {type}', { type: titleOf(type) })}</h2>
      <JobProgress job={job} />
      {isRunning(job) && mayUpdate ? (
        <div>
          <ConfirmButton
            label={t('Cancel the import')}
            question={t('Cancel it? What was written stays.')}
            isBusy={trigger.isPending}
            onConfirm={() => trigger.mutate('_interrupt')}
          />
        </div>
      ) : null}
      {trigger.error === null ? null : <Problems error={trigger.error} />}
      {isRunning(job) ? null : <Outcome job={job} />}
      <Log
        title={t('Errors')}
        problems={problemsOfLog(errors)}
        fileName={`${type}-errors.csv`}
        download={t('Download the errors')}
      />
      <Log
        title={t('Warnings')}
        problems={problemsOfLog(warnings)}
        fileName={`${type}-warnings.csv`}
        download={t('Download the warnings')}
      />
      <Link to="/bulk/imports" className="self-start underline underline-offset-2">
        {t('All imports')}
      </Link>
    </div>
  )
}
