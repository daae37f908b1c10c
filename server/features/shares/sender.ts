import type { FastifyRequest } from 'fastify'
import type { Sender } from '../../../shared/api/shares.ts'
import { MAX_SENDER } from '../../../shared/limits.ts'
import { AppError } from '../../errors.ts'

/** Invisible characters that make a text look like another one: controls, and marks that change the direction. */
export const DECEPTIVE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * The name of a visitor, as a link asks for it.
 * @returns `''` for none @throws AppError `bad_request` without one where it is required, and for one that is too long
 */
export function checkedSender(asked: Sender, given: string): string {
  if (asked === 'no') return ''
  const sender = given.replace(DECEPTIVE, ' ').trim()
  if (sender === '' && asked === 'required') throw new AppError('bad_request', 'sender: must be given')
  if (sender.length > MAX_SENDER) throw new AppError('bad_request', 'sender: too long')
  return sender
}

/** The name in `X-Sender`, percent-encoded; `''` for none. @throws AppError `bad_request` for another encoding */
export function senderIn({ headers }: FastifyRequest): string {
  const header = headers['x-sender']
  if (typeof header !== 'string') return ''
  try {
    return decodeURIComponent(header)
  } catch {
    throw new AppError('bad_request', 'X-Sender: must be percent-encoded')
  }
}
