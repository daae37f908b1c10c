import { AppError } from '../../errors.ts'

/** The refusal of a listing of all levels (RFC 4918, 9.1): clients with this precondition in the body ask level by level. */
export class FiniteDepthError extends AppError {
  constructor() {
    super('forbidden', 'depth: must be 0 or 1 here')
  }
}
