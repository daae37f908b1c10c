import type { AppError } from '../errors.ts'

/** Looks at content, and throws as soon as it is known not to be what it should be; at its end at the latest. */
export interface ContentCheck {
  piece(bytes: Buffer): void
  end(): void
  /** Bytes from the beginning that are known to be right, whatever comes behind them; none unless given. */
  good?(): number
}

export interface AppendOptions {
  /** Bytes announced; fewer is `incomplete_body`. */
  length?: number
  /** Bytes the body may have at most; more is `body_too_large`. */
  most: number
  signal?: AbortSignal
  /** Told whenever the number of bytes that would survive a power cut has changed, and before `append` ends. */
  kept(size: number): Promise<void>
  /** Sees every piece once it is written. What it does not know to be right when the body ends or breaks off is not kept. */
  check?: ContentCheck
}

/** Bytes to be kept of a body that was not taken whole; all that came unless told. */
export function goodOf({ check }: AppendOptions, { code }: AppError): number | undefined {
  if (code === 'body_too_large') return 0
  return check && (check.good?.() ?? 0)
}
