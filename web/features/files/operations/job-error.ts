import { ApiError } from '../../../lib/api.ts'

/** Statuses of codes that the interface tells apart by them; all others are read by their code. */
const STATUSES: Readonly<Record<string, number>> = {
  exists: 409,
  is_a_folder: 409,
  not_a_folder: 409,
  not_found: 404,
  forbidden: 403,
  no_space: 507,
}

/** The result of one item of a job as the error that a call of its own would have been. */
export function refusalOf(code: string): ApiError {
  return new ApiError(STATUSES[code] ?? 500, code, code)
}
