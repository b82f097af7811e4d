/** The keys that work everywhere. */
import { t } from '../language/text.ts'
import { Dialog } from '../parts/dialog.tsx'
import type { Place } from './navigation.ts'

interface KeyboardHelpProps {
  readonly places: readonly Place[]
  readonly onClose: () => void
}

export const KeyboardHelp = ({ places, onClose }: KeyboardHelpProps) => {
  const keys = [
    ['Ctrl K, ⌘ K, /', t('Search everywhere')],
    ['?', t('This help')],
    ...places.map(({ key, label }) => [`g ${key}`, label] as const),
    ['Esc', t('Close')],
  ] as const
  return (
    <Dialog title={t('Keys')} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {keys.map(([key, meaning]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-ground px-2 py-0.5 font-mono text-sm">{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
