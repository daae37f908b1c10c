/** A member as the archive describes it: untrusted data. */
export interface MemberFacts {
  /** Its number in the order of the archive, from 0. */
  number: number
  /** As stored, unvalidated; in the byte-preserving encoding of names. */
  name: string
  /** `link`: symbolic or hard. `special`: devices, FIFOs, sparse files. */
  kind: 'file' | 'folder' | 'link' | 'special'
  /** Size of its content in bytes. */
  size: number
  /** Milliseconds since the epoch, if known. */
  modified: number | undefined
  /** POSIX permission bits, if known. */
  mode: number | undefined
  /** Whether its content is encrypted, which is not supported. */
  encrypted: boolean
}

/** A member met while an archive is read. */
export interface ReadMember extends MemberFacts {
  /**
   * Its content, to be read before the next member is requested.
   * @throws undecodable when it contradicts the archive's data, encrypted, unsupported for an unknown method
   */
  content(): AsyncIterable<Uint8Array>
}

/** An archive that is being read. */
export interface OpenedArchive {
  /** All members in order. One iteration at a time. @throws undecodable */
  members(signal: AbortSignal): AsyncGenerator<ReadMember>
  /** Set where everything has to be decompressed to list the members. */
  isPacked?: true
  /**
   * Totals before anything is decompressed, where the archive declares them; refuses overlapping members.
   * @throws undecodable
   */
  survey?(signal: AbortSignal): Promise<{ bytes: number; members: number }>
}
