import { AppError } from '../errors.ts'
import type { PublishOptions } from './driver.ts'

/**
 * Whether a file may be published in place of what exists.
 * @param version of the existing file; `undefined` if there is none
 * @throws exists (`ifAbsent`), precondition_failed (`ifMatch`)
 */
export function demandVersion(version: string | undefined, { ifAbsent, ifMatch }: PublishOptions): void {
  if (version !== undefined && ifAbsent) throw new AppError('exists')
  if (ifMatch === undefined || (version !== undefined && ifMatch === '*') || version === ifMatch) return
  throw new AppError('precondition_failed')
}
