import { createFakeClock } from '@merx/testing/fake-clock'
import { createSignedUrls, FILE_URL_SECONDS } from './signed-urls.ts'

const SECRET = 'a secret of at least thirty-two characters'

const partsOf = (url: string) => {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  return [
    pathname.split('/').at(-1) ?? '',
    searchParams.get('expires'),
    searchParams.get('signature'),
  ] as const
}

test('an address is valid for its key and its time, in every process with the secret', () => {
  const clock = createFakeClock()
  const parts = partsOf(createSignedUrls(SECRET, clock).sign('key'))
  const other = createSignedUrls(SECRET, clock)
  expect(parts[0]).toBe('key')
  expect(other.isValid(...parts)).toBe(true)
  clock.advance(FILE_URL_SECONDS - 1)
  expect(other.isValid(...parts)).toBe(true)
  clock.advance(1)
  expect(other.isValid(...parts)).toBe(false)
})

test.each([
  ['another key', (parts: readonly unknown[]) => ['other', parts[1], parts[2]]],
  [
    'a later time',
    ([key, expires, signature]: readonly unknown[]) => [key, String(Number(expires) + 1), signature],
  ],
  ['another signature', ([key, expires]: readonly unknown[]) => [key, expires, 'AAAA']],
  ['no signature', ([key, expires]: readonly unknown[]) => [key, expires, undefined]],
  ['a time that is none', ([key, , signature]: readonly unknown[]) => [key, 'soon', signature]],
  ['two times', ([key, expires, signature]: readonly unknown[]) => [key, [expires, expires], signature]],
])('%s is refused', (_case, change) => {
  const urls = createSignedUrls(SECRET, createFakeClock())
  const [key, expires, signature] = change(partsOf(urls.sign('key')))
  expect(urls.isValid(String(key), expires, signature)).toBe(false)
})

test('another secret signs otherwise', () => {
  const clock = createFakeClock()
  const parts = partsOf(createSignedUrls(`${SECRET}!`, clock).sign('key'))
  expect(createSignedUrls(SECRET, clock).isValid(...parts)).toBe(false)
})
