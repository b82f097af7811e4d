/** A failure that the person at the terminal can act on: what happened, and what to do about it. */
export class Failure extends Error {
  constructor(message, remedy) {
    super(message)
    this.remedy = remedy
  }
}

/** Prints the failure without a stack, unless it is a defect of this program, and returns the exit code. */
export const report = (error) => {
  if (error instanceof Failure) console.error(`\nMerx cannot go on: ${error.message}\n  ${error.remedy}\n`)
  else console.error(error)
  return 1
}

const READ_ONLY_CODES = new Set(['EROFS', 'EACCES', 'EPERM'])

/** Turns a failed write below `folder` into a Failure; anything unknown is passed on as it is. */
export const writeFailure = (error, folder) => {
  if (READ_ONLY_CODES.has(error.code)) {
    return new Failure(
      `the folder ${folder} cannot be written to (${error.code}).`,
      'Copy the project to a folder that you own, or change its permissions.',
    )
  }
  if (error.code === 'ENOSPC') {
    return new Failure(
      `the disk that holds ${folder} is full.`,
      'Merx needs about 2 GB free for its dependencies.',
    )
  }
  return error
}
