/** A table that scrolls by itself on narrow screens, with the keyboard too. */
import type { ReactNode } from 'react'

interface TableProps {
  readonly label: string
  readonly heads: readonly string[]
  readonly children: ReactNode
}

export const Table = ({ label, heads, children }: TableProps) => (
  <div className="card overflow-x-auto p-0" tabIndex={0} role="region" aria-label={label}>
    <table className="cells w-full border-collapse">
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)
