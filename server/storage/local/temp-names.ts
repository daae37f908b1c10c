import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const PREFIX = '.~fg-'
const SHAPE = /^\.~fg-([0-9a-f]{16})([0-9a-f]{16})$/

/**
 * A name for a file that is being written: short, so that it fits where a name of 255 bytes does, and signed, so that
 * no user's file is mistaken for one of ours.
 */
export function stagingName(key: Buffer): string {
  const random = randomBytes(8).toString('hex')
  return PREFIX + random + signature(key, random)
}

/** Whether a name has the prefix; `isStagingName` verifies it. */
export const mayBeStaging = (name: string): boolean => name.startsWith(PREFIX)

/** Whether a name was made by `stagingName` with this key. */
export function isStagingName(key: Buffer, name: string): boolean {
  const [, random, signed] = SHAPE.exec(name) ?? []
  if (random === undefined || signed === undefined) return false
  return timingSafeEqual(Buffer.from(signed), Buffer.from(signature(key, random)))
}

function signature(key: Buffer, random: string): string {
  return createHmac('sha256', key).update(random).digest('hex').slice(0, 16)
}
