import { parseRedisUrls } from './connect-redis.ts'

describe('Redis URLs', () => {
  it('takes one, several separated by commas, or a list', () => {
    expect(parseRedisUrls('redis://a:1').map(String)).toEqual(['redis://a:1'])
    expect(parseRedisUrls('redis://a:1, rediss://b:2,').map((url) => url.host)).toEqual(['a:1', 'b:2'])
    expect(parseRedisUrls(['redis://a', 'redis://b']).map((url) => url.host)).toEqual(['a', 'b'])
  })

  it.each(['', ' , ', 'localhost:6379', 'http://a:1', 'redis://', 'redis://a:1,nonsense'])(
    'refuses %j',
    (urls) => {
      expect(() => parseRedisUrls(urls)).toThrow(/expected redis:\/\/host:port|is not redis:\/\/host:port/)
    },
  )

  it('keeps a password out of its message', () => {
    expect(() => parseRedisUrls('http://me:hunter2@a')).toThrow(/^(?!.*hunter2)/)
  })
})
