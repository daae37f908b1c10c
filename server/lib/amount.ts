/** What files and folders take of a quota. */
export interface Amount {
  /** Bytes of the files. */
  bytes: number
  /** Files and folders; links are none. */
  items: number
}

export const NOTHING: Amount = { bytes: 0, items: 0 }

export const plus = (one: Amount, other: Amount): Amount => ({
  bytes: one.bytes + other.bytes,
  items: one.items + other.items,
})

export const minus = (one: Amount, other: Amount): Amount => ({
  bytes: one.bytes - other.bytes,
  items: one.items - other.items,
})

/** The amount, with 0 for what is below. */
export const positive = ({ bytes, items }: Amount): Amount => ({ bytes: Math.max(bytes, 0), items: Math.max(items, 0) })

export const isNothing = ({ bytes, items }: Amount): boolean => bytes === 0 && items === 0

/** What a file takes. @param size in bytes */
export const amountOfFile = (size: number): Amount => ({ bytes: size, items: 1 })

/** A quota as it is set for a user or a group; each is null where it does not say, -1 for no limit. */
export type OwnQuota = { [Kind in keyof Amount]: number | null }

export const NO_QUOTA: OwnQuota = { bytes: null, items: null }
