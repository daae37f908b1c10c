/** One thing in an archive, as the archive tells of it: nothing of it can be relied on. */
export interface MemberFacts {
  /** Its number in the order of the archive, from 0. */
  number: number
  /** As it is written there, whatever it leads to; a string that says its bytes. */
  name: string
  /** `link`: symbolic or hard. `special`: devices and pipes, and files with holes. */
  kind: 'file' | 'folder' | 'link' | 'special'
  /** Bytes of its content. */
  size: number
  /** Milliseconds since the epoch; `undefined` when it is not told. */
  modified: number | undefined
  /** POSIX permission bits; `undefined` when they are not told. */
  mode: number | undefined
  /** Whether its content needs a password, which nobody is asked for. */
  encrypted: boolean
}

/** One thing met while an archive is read. */
export interface ReadMember extends MemberFacts {
  /**
   * Its content, to be read before the next member is asked for, or left.
   * @throws undecodable when it is not what the archive says, encrypted, unsupported for a method nobody here knows
   */
  content(): AsyncIterable<Uint8Array>
}

/** An archive that is being read. */
export interface OpenedArchive {
  /** Everything in it, in its order. To be asked for once at a time. @throws undecodable */
  members(signal: AbortSignal): AsyncGenerator<ReadMember>
  /** Everything has to be unpacked to know what is in it. */
  isPacked?: true
  /**
   * Adds up what is in it before anything is unpacked, where that can be known; refuses parts that lie upon each other.
   * @throws undecodable
   */
  survey?(signal: AbortSignal): Promise<{ bytes: number; members: number }>
}
