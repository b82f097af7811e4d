import { encodeTokenAnswer } from './encode-token-answer.ts'
import type { TokenAnswer } from './issue-token.ts'

describe('the JSON of a token answer', () => {
  it.each<[string, TokenAnswer]>([
    [
      'a token alone',
      {
        access_token: 'eyJhbGciOi.J9-_.x',
        token_type: 'bearer',
        expires_in: 7_200,
        scope: 'market:all',
        created_at: 1,
      },
    ],
    [
      'everything, with what JSON escapes',
      {
        access_token: 'a.b.c',
        token_type: 'bearer',
        expires_in: 1,
        refresh_token: 'r"\\',
        scope: 'market:code:"é\n',
        created_at: 1,
        owner_id: 'abc',
        owner_type: 'customer',
      },
    ],
  ])('is what JSON.stringify gives: %s', (_what, answer) => {
    expect(encodeTokenAnswer(answer)).toBe(JSON.stringify(answer))
  })
})
