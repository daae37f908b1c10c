import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'

const IN_FOLDER = 100
const PARTS = 'an ber cal do el fin gra hol in jo kel lin mor nes or pal qui ros sta tu ul ven wil xan yor zen'.split(
  ' ',
)
const ENDINGS = ['jpg', 'txt', 'pdf', 'mp4', 'md', 'csv', 'png', 'docx']

/**
 * Creates empty files with generated names, the same ones in every run, a hundred per folder.
 * @returns a word of a name in each folder
 */
export function makeTree(root, count) {
  let state = 1
  const roll = below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const pick = list => list[roll(list.length)]
  const names = []
  for (let at = 0; at < count; at += IN_FOLDER) {
    const folder = join(root, pick(PARTS) + pick(PARTS), `${pick(PARTS)} ${at}`)
    mkdirSync(folder, { recursive: true })
    for (let number = 0; number < IN_FOLDER; number++) {
      const word = pick(PARTS) + pick(PARTS) + pick(PARTS)
      closeSync(openSync(join(folder, `${word} ${pick(PARTS)}${number}.${pick(ENDINGS)}`), 'w'))
      if (number === 0) names.push(word)
    }
  }
  return names
}
