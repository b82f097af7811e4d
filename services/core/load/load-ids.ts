/** Public ids of the rows that load fills in. */
import { createPublicIds } from '@merx/jsonapi/public-id'

export const LOAD_ID_SECRET = 'the secret of ids in load tests, made of many characters'

export const { encode: encodeId } = createPublicIds({ secret: LOAD_ID_SECRET })
