import type { AppError } from '../errors.ts'

/** Inspects content, and throws as soon as it is known to be wrong, at the latest in `end`. */
export interface ContentCheck {
  piece(bytes: Buffer): void
  end(): void
  /** Leading bytes known to be right whatever follows them. Default: 0. */
  good?(): number
}

export interface AppendOptions {
  /** Announced length in bytes; a shorter body is `incomplete_body`. */
  length?: number
  /** Limit in bytes; a longer body is `body_too_large`. */
  most: number
  signal?: AbortSignal
  /** Called whenever the number of bytes that would survive a power cut changes, and before `append` ends. */
  kept(size: number): Promise<void>
  /**
   * Receives every chunk after it is written. Bytes that it has not confirmed when the body ends or breaks off are
   * dropped.
   */
  check?: ContentCheck
}

/** Bytes to keep of a body that ended early; `undefined` keeps all that arrived. */
export function goodOf({ check }: AppendOptions, { code }: AppError): number | undefined {
  if (code === 'body_too_large') return 0
  return check && (check.good?.() ?? 0)
}
