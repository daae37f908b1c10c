/** Smallest chunk in bytes, however low a proxy's limit is. */
const SMALLEST = 64 * 1024
/** Largest chunk in bytes: proxies that limit a body often do so at 100 MB. */
const LARGEST = 90_000_000
/** A configured size below this is a maximum; a larger one may grow. */
const FREE_FROM = 8_000_000

/** Minimum and maximum duration of a chunk in milliseconds: proxies time out after a minute. */
const SHORT = 1500
const LONG = 15_000

/** Chunk size of a file, in bytes. */
export interface ChunkSizes {
  first: number
  most: number
}

/** The size that a proxy refused; every upload of the page stays below. */
let refused = Number.POSITIVE_INFINITY
/** The size that the connection transfers in good time, as far as measured. */
let usual = Number.POSITIVE_INFINITY

/** Whether no limit is known below this size. */
export const mayFit = (bytes: number): boolean => bytes < refused && bytes <= usual

/** Records a refused size. @returns the size to try instead; `undefined` when it would be too small */
export function smallerThan(bytes: number): number | undefined {
  refused = Math.min(refused, bytes)
  return bytes > SMALLEST ? atLeast(bytes / 2) : undefined
}

/**
 * @param chunkSize the host's setting (`tus.chunkSize`)
 * @param attempt number of connections lost before a chunk got through: chunks stay small then
 */
export function chunkSizes(chunkSize: number, attempt: number): ChunkSizes {
  const first = atLeast(Math.min(chunkSize, refused / 2, usual) / 2 ** attempt)
  const wanted = chunkSize < FREE_FROM ? chunkSize : Math.max(chunkSize, LARGEST)
  return { first, most: attempt > 0 ? first : atLeast(Math.min(wanted, refused / 2)) }
}

/**
 * Adapts the size to the duration of the last chunk: long ones run into proxy timeouts, short ones waste round trips.
 */
export function nextSize(size: number, most: number, milliseconds: number): number {
  if (milliseconds > LONG) usual = atLeast(size / 2)
  else usual = milliseconds < SHORT ? Math.min(most, size * 2) : size
  return usual
}

/** Records how long a chunk had been in flight when its connection broke. */
export function noteBroken(size: number, milliseconds: number): void {
  if (milliseconds > LONG) usual = Math.min(usual, atLeast(size / 2))
}

const atLeast = (bytes: number) => Math.max(SMALLEST, Math.floor(bytes))
