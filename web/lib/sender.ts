import { storedPreference } from './local-preference.ts'

/** The name that the visitor of a link gave last, in this browser; empty for none. */
export const senderPreference = storedPreference('filigree.sender', text => text ?? '', String)

/** The header that presents this name to a link that asks for it (http-api 10.4). */
export function senderHeaders(): Record<string, string> {
  const sender = senderPreference.store.get()
  return sender === '' ? {} : { 'X-Sender': encodeURIComponent(sender.toWellFormed()) }
}
