/** The cells whose values were refused: what was typed stays in them until it is corrected or discarded. */
import { t } from '../language/text.ts'
import type { Edits } from './use-edits.ts'

interface RefusedEditsProps {
  readonly edits: Edits
  readonly onShow: (key: string) => void
  readonly onDiscard: (key: string) => void
}

export const RefusedEdits = ({ edits, onShow, onDiscard }: RefusedEditsProps) => {
  const refused = Object.entries(edits).filter(([, { problem }]) => problem !== undefined)
  return refused.length === 0 ? null : (
    <div role="alert" className="rounded-lg border border-l-4 border-bad bg-bad-ground px-4 py-3 text-bad">
      <p>
        {t('{count, plural, one {# value was not saved} other {# values were not saved}}', {
          count: refused.length,
        })}
      </p>
      <ul className="mt-2 flex max-h-40 flex-col gap-1 overflow-y-auto">
        {refused.map(([key, { product, column, text, problem }]) => (
          <li key={key} className="flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere">
              {product.code}, {column.name}, {text}: {problem}
            </span>
            <button type="button" className="underline underline-offset-2" onClick={() => onShow(key)}>
              {t('Show')}
            </button>
            <button type="button" className="underline underline-offset-2" onClick={() => onDiscard(key)}>
              {t('Discard')}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
