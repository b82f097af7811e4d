/** The column `environment`: organization and mode as one value. It is first in the sorting key, and every statement compares it. */
export interface Environment {
  readonly organizationId: string
  /** `live` or `test`: no slash is in it, so no two environments have one name. */
  readonly mode: string
}

/** `orgAAAAAAA/live/placed`: all orders of one environment and status, as tables/orders.sql makes it of the two. */
export const namePopulation = (environment: Environment, status: string): string =>
  `${nameEnvironment(environment)}/${status}`

/** `orgAAAAAAA/live`, as the tables make it of the two columns (tables/orders.sql). */
export const nameEnvironment = ({ organizationId, mode }: Environment): string => `${organizationId}/${mode}`
