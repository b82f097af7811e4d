/** Many records at once: imports from files, and exports to files. */
import { Link, Outlet } from '@tanstack/react-router'
import { t } from '../language/text.ts'

const LINK = 'rounded-lg px-3 py-1.5 hover:bg-card'
const ACTIVE = { className: 'bg-card font-semibold' }

export const Bulk = () => (
  <div className="flex flex-col gap-4">
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h1 className="text-2xl font-semibold tracking-tight">{t('Imports and exports')}</h1>
      <nav aria-label={t('Imports and exports')} className="flex flex-wrap gap-1">
        <Link to="/bulk/imports" className={LINK} activeProps={ACTIVE}>
          {t('Imports')}
        </Link>
        <Link to="/bulk/exports" className={LINK} activeProps={ACTIVE}>
          {t('Exports')}
        </Link>
      </nav>
    </div>
    <Outlet />
  </div>
)
