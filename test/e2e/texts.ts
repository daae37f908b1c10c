import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import compile from 'icu-minify/compile'
import format from 'icu-minify/format'
import { LOCALES } from '../../shared/locales.ts'
import { isolated } from '../../web/lib/i18n/isolate.ts'

const formatters = {
  getDateTimeFormat: (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...args),
  getNumberFormat: (...args: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...args),
  getPluralRules: (...args: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...args),
}

/** The texts of a language, as displayed. */
export function textsOf(code: string) {
  const { tag, dir } = LOCALES.find(locale => locale.code === code) ?? LOCALES[0]
  const file = fileURLToPath(new URL(`../../web/locales/${code}.json`, import.meta.url))
  const catalogue = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  return (key: string, values: Record<string, string | number> = {}): string => {
    const message = catalogue[key]
    if (message === undefined) throw new Error(`${code} lacks ${key}`)
    const pieces = Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? isolated(value, dir) : value,
    ])
    return String(format(compile(message), tag, Object.fromEntries(pieces), { formatters }))
  }
}
