import { type Config, resolveConfig } from '../../config.ts'
import { shownDatabase } from '../../db/address.ts'
import type { Command } from '../command.ts'
import { readDataFile } from '../data-file.ts'
import { hostOf } from '../open.ts'
import { printable } from '../print.ts'
import { DOCUMENT_NAMES, fromDocument } from './document.ts'

export const command: Command = {
  usage: '[file]',
  summary:
    'Checks a file of settings, or those a server would start with here: what counts, from where, what has no effect',
  words: { least: 0, most: 1 },
  async run(given) {
    const [file] = given.positionals
    const lines = file === undefined ? linesOf(await hostOf(given)) : noticesOf(file)
    for (const line of lines) console.log(line)
    console.log(`${file ?? 'What is set'} can be used.`)
  },
}

/** What counts of the host's settings and where it comes from, as far as something was said; then the notices. */
function linesOf({ origins, notices }: Config): string[] {
  const said = Object.entries(origins).filter(([, { from }]) => from !== 'default')
  const lines = said.map(([name, { from, where, text, secret }]) => {
    const value = secret ? '(set)' : printable(shownDatabase(text))
    return `${name}: ${value}, by ${where === undefined ? `the ${from}` : `the ${from} ${where}`}`
  })
  return [...lines, ...notices]
}

/** Either what `config export` writes, or what a server reads at its start. @throws AppError naming what makes no sense */
function noticesOf(file: string): readonly string[] {
  const content = /\.toml$/i.test(file) ? undefined : readDataFile(file, DOCUMENT_NAMES)
  const isDocument = typeof content === 'object' && content !== null && 'settings' in content
  if (!isDocument) return resolveConfig(new Map([['config', file]]), {}).notices
  fromDocument(content)
  return []
}
