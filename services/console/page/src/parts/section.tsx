/** A part of a screen with a title of its own. */
import { useId, type ReactNode } from 'react'

interface SectionProps {
  readonly title: string
  readonly children: ReactNode
}

export const Section = ({ title, children }: SectionProps) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}
