/** Public ids of the rows that load fills in. */
import { createPublicIds } from '@merx/jsonapi/public-id'

export const LOAD_ID_SECRET = 'the secret of ids in load tests, made of many characters'

export const loadIds = createPublicIds({ secret: LOAD_ID_SECRET })

export const encodeId = (type: string, number: number): string => loadIds.encode(type, number)

export const decodeId = (type: string, id: string): number | undefined => loadIds.decode(type, id)
