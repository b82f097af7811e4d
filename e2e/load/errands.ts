/** People at work in a load test: each goes through an errand, one request after the other, and then begins the next one. */
import type { LoadAnswer, LoadRequest } from '@merx/load/exchange'

/** Yields requests and gets the answer to each. */
export type Errand = Generator<LoadRequest, void, LoadAnswer>

/** The documents of JSON:API that errands read. */
export interface Resource {
  readonly id: string
  readonly type: string
  readonly attributes: Readonly<Record<string, unknown>>
}
interface Document {
  readonly data: Resource | readonly Resource[]
  readonly included?: readonly Resource[]
}

const documentOf = ({ body = '' }: LoadAnswer): Document => JSON.parse(body) as Document

export const resourcesOf = (answer: LoadAnswer): readonly Resource[] => [documentOf(answer).data].flat()

export const idOf = (answer: LoadAnswer): string => resourcesOf(answer)[0]?.id ?? ''

export const includedOf = (answer: LoadAnswer, type: string): readonly Resource[] =>
  (documentOf(answer).included ?? []).filter((each) => each.type === type)

/** For `signedIn`. An errand of which a request fails is given up. */
export const working = (begin: (token: string, person: number) => Errand) => (person: number) => {
  let errand: Errand | undefined
  let answer: LoadAnswer | undefined
  const nextOf = (token: string): LoadRequest => {
    const isGoingOn = errand !== undefined && answer !== undefined && answer.status < 300
    if (errand !== undefined && isGoingOn && answer !== undefined) {
      const step = errand.next(answer)
      if (step.done !== true) return step.value
    }
    errand = begin(token, person)
    const step = errand.next()
    if (step.done === true) throw new Error('an errand without a request')
    return step.value
  }
  return { next: nextOf, onAnswer: (given: LoadAnswer): void => void (answer = given) }
}
