import { shortcutOf, type KeyPressed } from './shortcuts.ts'

const pressed = (key: string, more: Partial<KeyPressed> = {}): KeyPressed => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false, isTyping: false },
  ...more,
})

it('searches with Ctrl K and Cmd K, also while typing, and with a slash', () => {
  expect(shortcutOf(pressed('k', { ctrlKey: true, isTyping: true }), false)).toEqual({ kind: 'search' })
  expect(shortcutOf(pressed('K', { metaKey: true }), true)).toEqual({ kind: 'search' })
  expect(shortcutOf(pressed('/'), false)).toEqual({ kind: 'search' })
})

it('goes to a place with g and its letter', () => {
  expect(shortcutOf(pressed('g'), false)).toEqual({ kind: 'go' })
  expect(shortcutOf(pressed('o'), true)).toEqual({ kind: 'place', key: 'o' })
  expect(shortcutOf(pressed('o'), false)).toBeUndefined()
})

it('leaves the keys of fields and of the browser alone', () => {
  for (const key of ['g', '?', '/'])
    expect(shortcutOf(pressed(key, { isTyping: true }), true)).toBeUndefined()
  expect(shortcutOf(pressed('g', { ctrlKey: true }), false)).toBeUndefined()
})
