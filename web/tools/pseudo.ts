import type { Compiled } from './catalogue.ts'

const PLAIN = 'AaBbCcDdEeFfGgHhIiJjKkLlMmNnOoPpQqRrSsTtUuVvWwXxYyZz'
const DRESSED = 'ÀåƁƀÇçÐðÉéƑƒĜĝĤĥÎîĴĵĶķĻļṀɱÑñÖöÞþǪǫŔŕŠšŢţÛûṼṽŴŵẊẋÝýŽž'
const ACCENTED = new Map([...PLAIN].map((letter, at) => [letter, [...DRESSED][at] ?? letter]))

/** Expansion of a text: other languages need up to this much more room than English. */
const GROWTH = 0.4

/** Filler for the expansion: words, since lines break between words. */
const FILLER = accented('one two three four five six seven eight nine ten ').repeat(8)

/**
 * A message in the pseudo-locale, which reveals layout problems of translations: letters with accents, two fifths
 * longer, in brackets that show both ends of the text.
 */
export function pseudoMessage(message: Compiled): Compiled {
  const more = Math.ceil(lettersIn(message) * GROWTH)
  const end = more > 0 ? ` ${FILLER.slice(0, more)}]` : ']'
  return typeof message === 'string' ? `[${accented(message)}${end}` : ['[', ...message.map(dressNode), end]
}

type Node = Exclude<Compiled, string>[number]

/** The first string of an argument's node is its name, and its branches are in an object. */
function dressNode(node: Node): Node {
  if (typeof node === 'string') return accented(node)
  if (!Array.isArray(node)) return node
  return node.map(part => (isBranches(part) ? dressBranches(part) : part)) as Node
}

function dressBranches(branches: Record<string, Compiled>): Record<string, Compiled> {
  return Object.fromEntries(
    Object.entries(branches).map(([name, branch]) => [
      name,
      Array.isArray(branch) ? branch.map(dressNode) : typeof branch === 'string' ? accented(branch) : branch,
    ]),
  )
}

/** Number of letters on the longest path through a message. */
function lettersIn(part: unknown): number {
  if (typeof part === 'string') return part.length
  if (!Array.isArray(part)) return 0
  return part.reduce((sum: number, node: unknown) => sum + lettersOfNode(node), 0)
}

function lettersOfNode(node: unknown): number {
  if (!Array.isArray(node)) return lettersIn(node)
  const branches = node.find(isBranches)
  return branches ? Math.max(...Object.values(branches).map(lettersIn)) : 0
}

function isBranches(part: unknown): part is Record<string, Compiled> {
  return typeof part === 'object' && part !== null && !Array.isArray(part)
}

function accented(text: string): string {
  return [...text].map(letter => ACCENTED.get(letter) ?? letter).join('')
}
