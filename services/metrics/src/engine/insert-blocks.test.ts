import { canReadFrom } from './insert-blocks.ts'

it.each([
  ['/data/merx', true],
  ["/data/it's mine/ä", true],
  ['/data/{a,b}', false],
  ['/data/shop*', false],
  ['/data/what?', false],
])('blocks in %s: %s', (folder, can) => {
  expect(canReadFrom(folder)).toBe(can)
})
