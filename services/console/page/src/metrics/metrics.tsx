/** Questions to metrics: one at a time, and those that the user keeps. */
import { Link, Outlet } from '@tanstack/react-router'
import { t } from '../language/text.ts'

const LINK = 'rounded-lg px-3 py-1.5 hover:bg-card'
const ACTIVE = { className: 'bg-card font-semibold' }

export const Metrics = () => (
  <div className="flex flex-col gap-4">
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h1 className="text-2xl font-semibold tracking-tight">{t('Metrics')}</h1>
      <nav aria-label={t('Metrics')} className="flex flex-wrap gap-1">
        <Link
          to="/metrics"
          search={{}}
          className={LINK}
          activeProps={ACTIVE}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          {t('Question')}
        </Link>
        <Link to="/metrics/dashboard" className={LINK} activeProps={ACTIVE}>
          {t('Dashboard')}
        </Link>
      </nav>
    </div>
    <Outlet />
  </div>
)
