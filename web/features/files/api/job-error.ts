import { ApiError } from '../../../lib/api.ts'

/** Statuses of the codes that the interface distinguishes by status; all others are matched by code. */
const STATUSES: Readonly<Record<string, number>> = {
  exists: 409,
  is_a_folder: 409,
  not_a_folder: 409,
  not_found: 404,
  forbidden: 403,
  no_space: 507,
  quota_exceeded: 507,
}

/** Converts the failure of a job's item to the error that a single call would throw. */
export function jobErrorOf(code: string): ApiError {
  return new ApiError(STATUSES[code] ?? 500, code, code)
}
