/** The way through the pages of a list. */
import type { ReactNode } from 'react'
import { formatCount } from '../data/format.ts'

export interface PagesProps {
  readonly page: number
  readonly pageCount: number
  readonly linkTo: (page: number, label: string) => ReactNode
}

export const Pages = ({ page, pageCount, linkTo }: PagesProps) => {
  const link = (to: number, label: string) =>
    to < 1 || to > pageCount ? <span className="px-3 py-1.5 text-soft">{label}</span> : linkTo(to, label)
  return (
    <nav aria-label="Pages" className="flex items-center gap-3">
      {link(page - 1, 'Previous')}
      <span className="text-soft">
        Page {formatCount(page)} of {formatCount(Math.max(pageCount, 1))}
      </span>
      {link(page + 1, 'Next')}
    </nav>
  )
}
