import { AppError } from '../errors.ts'

/**
 * Refuses texts that not every database keeps as they are: one with a NUL, or with half of a surrogate pair.
 * @throws AppError `bad_request`
 */
export function demandStorable(parameters: readonly unknown[]): void {
  const isRefused = (text: string) => text.includes('\0') || !text.isWellFormed()
  if (parameters.some(parameter => typeof parameter === 'string' && isRefused(parameter))) {
    throw new AppError('bad_request')
  }
}

/** The nearest text that every database keeps: for what is written down as somebody typed it. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')
