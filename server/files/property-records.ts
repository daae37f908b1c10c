import type { FilePath } from '../../shared/path.ts'

export interface PropertyName {
  namespace: string
  name: string
}

/** A property as it was set: `value` is its element, as XML. */
export interface Property extends PropertyName {
  value: string
}

/** A property where it was set. */
export interface PlacedProperty extends Property {
  /** In the served root, symbolic links resolved. */
  place: FilePath
  /** Of the file or folder that has it. */
  identity: string
}

/** A file or folder as it is now; the place is in the served root. */
export interface PropertyOwner {
  place: FilePath
  identity: string
}

/** What to set and what to remove. */
export interface PropertyChange {
  set: readonly Property[]
  remove: readonly PropertyName[]
}

/** The rows of properties; see `server/features/dav`. */
export interface PropertyRecords {
  at(place: FilePath): Promise<PlacedProperty[]>
  /** Those of a folder and of its children. */
  inFolder(folder: FilePath): Promise<PlacedProperty[]>
  /** Those of a place and all below it. */
  below(place: FilePath): Promise<PlacedProperty[]>
  /** Also forgets what an earlier owner of the place had. @throws AppError `no_space` for too many */
  change(owner: PropertyOwner, change: PropertyChange): Promise<void>
  /** The place has another content of the same file. */
  replaced(was: PropertyOwner, now: PropertyOwner): Promise<void>
  /** Everything below a place has moved, each with its identity. */
  moved(from: FilePath, to: FilePath): Promise<void>
  /** Adds rows. */
  add(properties: readonly PlacedProperty[]): Promise<void>
  /** Forgets those of a place and all below it. */
  remove(place: FilePath): Promise<void>
}
