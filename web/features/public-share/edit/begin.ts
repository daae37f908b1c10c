import { storedPreference } from '../../../lib/local-preference.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { senderPreference } from '../../../lib/sender.ts'
import type { Link } from '../link.ts'

/** How many links are remembered. */
const MOST_ASKED = 50

/** The links that have asked for a name, in this browser. */
const asked = storedPreference<readonly string[]>(
  'filigree.namedLinks',
  text => text?.split(' ') ?? [],
  hashes => hashes.join(' '),
)

/** Runs what changes something through a link; where the link asks for a name, once that is given. */
export function begin(link: Link, act: () => void): void {
  const { hash, sender } = link
  const isMissing = sender === 'required' && senderPreference.store.get() === ''
  if (sender === undefined || (asked.store.get().includes(hash) && !isMissing)) act()
  else openPrompt('visitorName', { link, act })
}

/** Stores the name of the visitor, which the link asks for no more. */
export function giveName({ hash }: Link, name: string): void {
  senderPreference.choose(name)
  asked.choose([...asked.store.get().filter(other => other !== hash), hash].slice(-MOST_ASKED))
}
