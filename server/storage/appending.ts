/** Looks at content, and throws at its end if it is not what it should be. */
export interface ContentCheck {
  piece(bytes: Buffer): void
  end(): void
}

export interface AppendOptions {
  /** Bytes announced; fewer is `incomplete_body`. */
  length?: number
  /** Bytes the body may have at most; more is `body_too_large`. */
  most: number
  signal?: AbortSignal
  /** Told whenever the number of bytes that would survive a power cut has changed, and before `append` ends. */
  kept(size: number): Promise<void>
  /** Sees every piece, and refuses them all by throwing at the end. Nothing is kept before that. */
  check?: ContentCheck
}
