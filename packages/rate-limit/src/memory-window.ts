/**
 * An exact sliding window in this process, for a system without Redis and while Redis is unavailable.
 * A request is allowed when at most `points` requests, itself and refused ones included, fall into the
 * `seconds` that end with it.
 */
import type { Clock } from '@merx/telemetry/clock'
import { RateLimiterCompatibleAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { Window } from './budgets.ts'

/** Beyond either, the least recently used keys are dropped: an attacker with many addresses costs bounded memory. */
const KEYS_MAX = 50_000
const TIMES_MAX = 1_000_000

/**
 * Times of the latest requests of one key. `points` of them decide everything: a request is over the limit when
 * the one `points` before it is still inside the window.
 */
interface Recent {
  /** A ring once full. */
  times: number[]
  /** Where the oldest is. */
  start: number
}

/** The window, and how much is stored at most. */
export interface MemoryWindowOptions extends Window {
  readonly clock: Clock
  readonly keysMax?: number
  readonly timesMax?: number
}

/** What rate-limiter-flexible can insure a Redis limiter with: of its operations, those that make sense here. */
export class MemoryWindow extends RateLimiterCompatibleAbstract {
  override readonly keyPrefix = ''
  override blockDuration = 0
  override execEvenly = false
  readonly #points: number
  readonly #windowMs: number
  readonly #clock: Clock
  readonly #keysMax: number
  readonly #timesMax: number
  /** Least recently used first. A limit is state, not a cache: eviction follows the window and the sum of all times. */
  readonly #keys = new Map<string | number, Recent>()
  /** Of all keys together. */
  #timesHeld = 0

  constructor({ points, seconds, clock, keysMax = KEYS_MAX, timesMax = TIMES_MAX }: MemoryWindowOptions) {
    super()
    this.#points = points
    this.#windowMs = seconds * 1000
    this.#clock = clock
    this.#keysMax = keysMax
    this.#timesMax = timesMax
  }

  /** How many keys are held. */
  get size(): number {
    return this.#keys.size
  }

  /** Counts a request. @returns the state after it. @throws RateLimiterRes (rejects) when it is over the limit. */
  override async consume(key: string | number): Promise<RateLimiterRes> {
    const recent = this.#touch(key)
    const now = this.#add(recent, this.#clock.now().getTime())
    this.#forget(now)
    const result = this.#describe(recent, now)
    // The library's way to say no, which RateLimiterRedis passes on as it is.
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    if (result.consumedPoints > this.#points) throw result
    return result
  }

  /** Takes back the latest request of the key, as if it had not been made. */
  override async reward(key: string | number): Promise<RateLimiterRes> {
    const now = this.#clock.now().getTime()
    const recent = this.#keys.get(key)
    if (recent === undefined || recent.times.length === 0)
      return new RateLimiterRes(this.#points, 0, 0, false)
    const times = recent.times.map((_time, index) => this.#at(recent, index)).slice(0, -1)
    Object.assign(recent, { times, start: 0 })
    this.#timesHeld -= 1
    return this.#describe(recent, now)
  }

  override async get(key: string | number): Promise<RateLimiterRes | null> {
    const recent = this.#keys.get(key)
    return recent === undefined ? null : this.#describe(recent, this.#clock.now().getTime())
  }

  override async delete(key: string | number): Promise<boolean> {
    return this.#drop(key)
  }

  /** The record of a key, moved to the end of the map. */
  #touch(key: string | number): Recent {
    const recent = this.#keys.get(key) ?? { times: [], start: 0 }
    this.#keys.delete(key)
    this.#keys.set(key, recent)
    return recent
  }

  /**
   * Stores one time more than `points`: enough to distinguish "exactly full" from "over". A clock that went back
   * counts as standing still or, by more than a window, restarts the count.
   * @returns the time the request counts at
   */
  #add(recent: Recent, clockMs: number): number {
    const last = this.#at(recent, recent.times.length - 1)
    if (last - clockMs > this.#windowMs) {
      this.#timesHeld -= recent.times.length
      Object.assign(recent, { times: [], start: 0 })
    }
    const now = last - clockMs > this.#windowMs ? clockMs : Math.max(last, clockMs)
    if (recent.times.length <= this.#points) {
      recent.times.push(now)
      this.#timesHeld += 1
    } else {
      recent.times[recent.start] = now
      recent.start = (recent.start + 1) % recent.times.length
    }
    return now
  }

  /** The n-th oldest time, from 0. */
  #at({ times, start }: Recent, index: number): number {
    return times[(start + index) % times.length] ?? -Infinity
  }

  #describe(recent: Recent, now: number): RateLimiterRes {
    const { length } = recent.times
    const ended = this.#countEnded(recent, now)
    const consumed = length - ended
    const remaining = Math.max(0, this.#points - consumed)
    // A new request fits when the one `points` before it, itself not counted, has left the window.
    const msBeforeNext = remaining > 0 ? 0 : this.#at(recent, length - this.#points) + this.#windowMs - now
    return new RateLimiterRes(remaining, msBeforeNext, consumed, consumed === 1)
  }

  /** Times are in order, so a binary search finds where the window begins: (now - window, now]. */
  #countEnded(recent: Recent, now: number): number {
    const edge = now - this.#windowMs
    let [low, high] = [0, recent.times.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#at(recent, middle) <= edge) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The least recently used keys come first, so this stops at the first that stays; no timer needed. */
  #forget(now: number): void {
    for (const [key, recent] of this.#keys) {
      const isEnded = this.#at(recent, recent.times.length - 1) <= now - this.#windowMs
      const isTooMuch = this.#keys.size > this.#keysMax || this.#timesHeld > this.#timesMax
      if ((!isEnded && !isTooMuch) || this.#keys.size === 1) return
      this.#drop(key)
    }
  }

  #drop(key: string | number): boolean {
    this.#timesHeld -= this.#keys.get(key)?.times.length ?? 0
    return this.#keys.delete(key)
  }
}
