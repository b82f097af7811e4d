/** How far an import or export is. */
import { formatCount } from '../data/format.ts'
import { t } from '../language/text.ts'
import { State } from '../parts/state.tsx'
import { progressOf, type Job } from './jobs.ts'

export const JobProgress = ({ job }: { readonly job: Job }) => {
  const { done, all } = progressOf(job)
  const text = t('{done} of {all}', { done: formatCount(done), all: formatCount(all) })
  return (
    <div className="card flex flex-wrap items-center gap-4">
      <State state={job.attributes.status} />
      <progress
        className="h-3 min-w-40 grow accent-[var(--accent)]"
        max={Math.max(all, 1)}
        value={done}
        aria-label={t('Progress')}
      />
      <span role="status" className="tabular-nums">
        {text}
      </span>
    </div>
  )
}
