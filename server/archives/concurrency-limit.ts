import { AppError } from '../errors.ts'
import { LIMITS } from '../limits.ts'

/** Archives in slow formats that a process makes at a time. */
const MAX_COSTLY = LIMITS.slowArchives

let running = 0

/**
 * Takes one of the few turns for costly work.
 * @returns gives the turn back; harmless when called again
 * @throws AppError `unavailable`
 */
export function takeCostlyTurn(): () => void {
  if (running >= MAX_COSTLY) throw new AppError('unavailable', 'too many such archives are being made')
  running++
  let held = true
  return () => {
    if (held) running--
    held = false
  }
}
