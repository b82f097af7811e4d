import { createMessageCounter } from './event-lines.ts'

it('counts the messages of a stream, also those that come in pieces, and no comments', () => {
  const count = createMessageCounter()
  expect(count(': hello\n\nid: a\nda')).toBe(0)
  expect(count('ta: {"topic":"orders.place"}\n\n')).toBe(1)
  expect(count('id: b\ndata: {}\n\nid: c\ndata: {}\n\n: data: none\n')).toBe(2)
  expect(count('')).toBe(0)
})
