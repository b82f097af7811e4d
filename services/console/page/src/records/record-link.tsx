/** The way to a record: to the screen of its type where it has one, else to the one that every type has. */
import { Link, linkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export const recordAddress = (type: string, id: string) => {
  if (type === 'orders') return linkOptions({ to: '/orders/$id', params: { id } })
  if (type === 'skus') return linkOptions({ to: '/products/$id', params: { id } })
  if (type === 'imports') return linkOptions({ to: '/bulk/imports/$id', params: { id } })
  if (type === 'exports') return linkOptions({ to: '/bulk/exports/$id', params: { id } })
  if (type === 'webhooks') return linkOptions({ to: '/webhooks/$id', params: { id } })
  return linkOptions({ to: '/records/$type/$id', params: { type, id } })
}

/** Types whose own screen shows everything that the form of a record writes. */
const SHOWN_WHOLE = new Set(['orders', 'webhooks'])

/** Where a record is shown that was written in its form. */
export const writtenAddress = (type: string, id: string) =>
  SHOWN_WHOLE.has(type)
    ? recordAddress(type, id)
    : linkOptions({ to: '/records/$type/$id', params: { type, id } })

interface RecordLinkProps {
  readonly type: string
  readonly id: string
  readonly children: ReactNode
}

export const RecordLink = ({ type, id, children }: RecordLinkProps) => (
  <Link {...recordAddress(type, id)} className="underline underline-offset-2">
    {children}
  </Link>
)
