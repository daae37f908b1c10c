import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileMessage, readCatalogue, shapeOf } from './catalogue.ts'

/** English is the source of keys and arguments. */
export const SOURCE_CATALOGUE = fileURLToPath(new URL('../locales/en.json', import.meta.url))
export const GENERATED_TYPES = fileURLToPath(new URL('../lib/i18n/messages.gen.ts', import.meta.url))

/** A number is set by `Intl`: it wants `{count, number}` or a plural, and no plain argument takes it. */
const TYPE_NAMES = { number: 'number', string: 'string', date: 'Date | number' } as const

/** The text of `messages.gen.ts` for a catalogue. */
export function typesOf(catalogue: Record<string, string>): string {
  const lines = Object.keys(catalogue)
    .toSorted()
    .map(key => {
      const args = [...shapeOf(compileMessage(key, catalogue[key] ?? '')).args]
      const fields = args.map(([name, type]) => `${name}: ${TYPE_NAMES[type]}`).join('; ')
      return `  '${key}': ${fields ? `{ ${fields} }` : 'Record<never, never>'}`
    })
  return [
    '// Written by web/tools/i18n-types.ts from web/locales/en.json.',
    '',
    '/** Every text of the interface, with the arguments it wants. */',
    'export interface Messages {',
    ...lines,
    '}',
    '',
  ].join('\n')
}

/** Brings the generated file up to date; answers whether it had to be written. */
export function writeTypes(): boolean {
  const text = typesOf(readCatalogue(SOURCE_CATALOGUE))
  const old = readOld()
  if (old === text) return false
  writeFileSync(GENERATED_TYPES, text)
  return true
}

function readOld(): string {
  try {
    return readFileSync(GENERATED_TYPES, 'utf8')
  } catch {
    return ''
  }
}

if (import.meta.main) console.log(writeTypes() ? 'messages.gen.ts written' : 'messages.gen.ts is current')
