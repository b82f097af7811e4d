/** The way through the pages of a list. */
import type { ReactNode } from 'react'
import { formatCount } from '../data/format.ts'
import { t } from '../language/text.ts'

export interface PagesProps {
  readonly page: number
  readonly pageCount: number
  readonly linkTo: (page: number, label: string) => ReactNode
}

export const Pages = ({ page, pageCount, linkTo }: PagesProps) => {
  const link = (to: number, label: string) =>
    to < 1 || to > pageCount ? <span className="px-3 py-1.5 text-soft">{label}</span> : linkTo(to, label)
  return (
    <nav aria-label={t('Pages')} className="flex items-center gap-3">
      {link(page - 1, t('Previous'))}
      <span className="text-soft">
        {t('Page {page} of {count}', {
          page: formatCount(page),
          count: formatCount(Math.max(pageCount, 1)),
        })}
      </span>
      {link(page + 1, t('Next'))}
    </nav>
  )
}
