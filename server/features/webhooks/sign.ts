import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A new secret, as the specification of Standard Webhooks writes it. */
export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

export interface Signed {
  id: string
  /** Seconds since the epoch. */
  timestamp: number
  body: string
}

/** The header `webhook-signature` (Standard Webhooks 1.0): one signature for each secret. */
export function signatureOf(secrets: readonly string[], { id, timestamp, body }: Signed): string {
  const signature = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64')).update(`${id}.${timestamp}.${body}`)
  return secrets.map(secret => `v1,${signature(secret).digest('base64')}`).join(' ')
}
