import { type Config, resolveConfig } from '../../config.ts'
import { shownDatabase } from '../../db/address.ts'
import type { Command } from '../command.ts'
import { readDataFile } from '../data-file.ts'
import { hostOf } from '../open.ts'
import { printable } from '../print.ts'
import { DOCUMENT_NAMES, fromDocument } from './document.ts'

export const command: Command = {
  usage: '[file]',
  summary: 'Checks a configuration file, or prints the settings in force, their sources, and settings without effect',
  words: { least: 0, most: 1 },
  async run(given) {
    const [file] = given.positionals
    const lines = file === undefined ? linesOf(await hostOf(given)) : noticesOf(file)
    for (const line of lines) console.log(line)
    console.log(`${file ?? 'The configuration'} is valid.`)
  },
}

/** Host settings that differ from defaults, with their sources; then the notices. */
function linesOf({ origins, notices }: Config): string[] {
  const given = Object.entries(origins).filter(([, { from }]) => from !== 'default')
  const lines = given.map(([name, { from, where, text, secret }]) => {
    const value = secret ? '(set)' : printable(shownDatabase(text))
    return `${name}: ${value}, by ${where === undefined ? `the ${from}` : `the ${from} ${where}`}`
  })
  return [...lines, ...notices]
}

/** Validates an export of `config export`, or a configuration file. @throws AppError naming the invalid field */
function noticesOf(file: string): readonly string[] {
  const content = /\.toml$/i.test(file) ? undefined : readDataFile(file, DOCUMENT_NAMES)
  const isDocument = typeof content === 'object' && content !== null && 'settings' in content
  if (!isDocument) return resolveConfig(new Map([['config', file]]), {}).notices
  fromDocument(content)
  return []
}
