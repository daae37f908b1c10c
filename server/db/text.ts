import { AppError } from '../errors.ts'

/**
 * Refuses texts that not every database stores unchanged: with a NUL, or a lone surrogate.
 * @throws AppError `bad_request`
 */
export function demandStorable(parameters: readonly unknown[]): void {
  const isRefused = (text: string) => text.includes('\0') || !text.isWellFormed()
  if (parameters.some(parameter => typeof parameter === 'string' && isRefused(parameter))) {
    throw new AppError('bad_request')
  }
}

/** The closest text that every database stores: for logging what a user typed. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')
