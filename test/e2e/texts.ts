import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import compile from 'icu-minify/compile'
import format from 'icu-minify/format'

const formatters = {
  getDateTimeFormat: (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...args),
  getNumberFormat: (...args: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...args),
  getPluralRules: (...args: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...args),
}

/** The texts of a language, as a person reads them. @param tag BCP 47, for the plural forms */
export function textsOf(code: string, tag: string) {
  const file = fileURLToPath(new URL(`../../web/locales/${code}.json`, import.meta.url))
  const catalogue = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>
  return (key: string, values: Record<string, string | number> = {}): string => {
    const message = catalogue[key]
    if (message === undefined) throw new Error(`${code} lacks ${key}`)
    return String(format(compile(message), tag, values, { formatters }))
  }
}
