/** Keys that work wherever one is, except while typing. */
import { useEffect } from 'react'

/** `g` waits so long for the letter of a place. */
const WAIT_MS = 1_500

const TYPING = 'input, textarea, select, [contenteditable], [role="grid"]'

export interface KeyPressed {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  /** In a field, where keys are text. */
  readonly isTyping: boolean
}

export type Shortcut =
  { readonly kind: 'search' | 'help' | 'go' } | { readonly kind: 'place'; readonly key: string }

/** What a key means; `g` was the one before when `isGoing`. */
export const shortcutOf = (pressed: KeyPressed, isGoing: boolean): Shortcut | undefined => {
  const { key, ctrlKey, metaKey, altKey, isTyping } = pressed
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') return { kind: 'search' }
  if (isTyping || ctrlKey || metaKey || altKey) return undefined
  if (isGoing) return { kind: 'place', key }
  if (key === '/') return { kind: 'search' }
  if (key === '?') return { kind: 'help' }
  return key === 'g' ? { kind: 'go' } : undefined
}

export interface ShortcutHandlers {
  readonly onSearch: () => void
  readonly onHelp: () => void
  readonly onPlace: (key: string) => void
}

export const useShortcuts = ({ onSearch, onHelp, onPlace }: ShortcutHandlers): void => {
  useEffect(() => {
    let goingSince = -Infinity
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event
      const isTyping = target instanceof Element && target.closest(TYPING) !== null
      const isGoing = event.timeStamp - goingSince < WAIT_MS
      const shortcut = shortcutOf({ key, ctrlKey, metaKey, altKey, isTyping }, isGoing)
      goingSince = shortcut?.kind === 'go' ? event.timeStamp : -Infinity
      if (shortcut === undefined) return
      event.preventDefault()
      if (shortcut.kind === 'search') onSearch()
      if (shortcut.kind === 'help') onHelp()
      if (shortcut.kind === 'place') onPlace(shortcut.key)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [onSearch, onHelp, onPlace])
}
