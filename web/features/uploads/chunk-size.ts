/** Bytes of the smallest piece tried, however little a proxy takes at once. */
const SMALLEST = 64 * 1024
/** Bytes of the largest: proxies that limit a body often do so at 100 MB. */
const LARGEST = 90_000_000
/** A host that wants pieces smaller than this knows why; larger ones may grow. */
const FREE_FROM = 8_000_000

/** Milliseconds a piece should take at least and at most: proxies wait for a minute. */
const SHORT = 1500
const LONG = 15_000

/** How much of a file goes at once, in bytes. */
export interface PieceSizes {
  first: number
  most: number
}

/** What a proxy on the way took no more of at once; every upload of the page keeps below. */
let refused = Number.POSITIVE_INFINITY
/** What the line brings in good time, as far as that was seen. */
let usual = Number.POSITIVE_INFINITY

/** Whether nothing is known that speaks against so much at once. */
export const mayFit = (bytes: number): boolean => bytes < refused && bytes <= usual

/** Notes that so much was refused. @returns what to try instead; nothing when that would be too little */
export function smallerThan(bytes: number): number | undefined {
  refused = Math.min(refused, bytes)
  return bytes > SMALLEST ? atLeast(bytes / 2) : undefined
}

/**
 * @param chunkSize what the host wants (`tus.chunkSize`)
 * @param attempt how many times a connection broke before a piece got through: then they stay small
 */
export function pieceSizes(chunkSize: number, attempt: number): PieceSizes {
  const first = atLeast(Math.min(chunkSize, refused / 2, usual) / 2 ** attempt)
  const wanted = chunkSize < FREE_FROM ? chunkSize : Math.max(chunkSize, LARGEST)
  return { first, most: attempt > 0 ? first : atLeast(Math.min(wanted, refused / 2)) }
}

/** The next size by how long the last piece took: long ones are lost to a proxy's patience, short ones to waiting. */
export function nextSize(size: number, most: number, milliseconds: number): number {
  if (milliseconds > LONG) usual = atLeast(size / 2)
  else usual = milliseconds < SHORT ? Math.min(most, size * 2) : size
  return usual
}

/** Notes that a piece was under way for so long when its connection broke. */
export function noteBroken(size: number, milliseconds: number): void {
  if (milliseconds > LONG) usual = Math.min(usual, atLeast(size / 2))
}

const atLeast = (bytes: number) => Math.max(SMALLEST, Math.floor(bytes))
