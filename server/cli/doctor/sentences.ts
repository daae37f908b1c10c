import type { Finding, FindingCode } from '../../../shared/api/diagnostics.ts'
import en from '../../../web/locales/en.json' with { type: 'json' }

/** The English texts of the interface, by finding. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(en).flatMap(([key, text]): [string, string][] => {
    const [, code] = /^diagnostics\.(\w+)$/.exec(key) ?? []
    return code === undefined ? [] : [[code, text]]
  }),
  // A running server has a database, so the interface has no text for it.
  ['databaseNew' satisfies FindingCode, 'The first start will create the database {what}.'],
])

const PLURAL = /\{\w+, plural, one \{(.*)\} other \{(.*)\}\}/

/** A finding as a sentence for the console; what its text does not name follows in brackets. */
export function sentenceOf({ code, what, amount = 0 }: Finding): string {
  const text = (TEXTS.get(code) ?? code).replace(PLURAL, (_all, one: string, other: string) =>
    (amount === 1 ? one : other).replaceAll('#', String(amount)),
  )
  const [count, size] = [String(amount), sizeOf(amount)]
  const values: Readonly<Record<string, string>> = { what: what ?? '', size, seconds: count, count }
  const sentence = text.replace(/\{(\w+)\}/g, (_all, name: string) => values[name] ?? '')
  return what === undefined || text.includes('{what}') ? sentence : `${sentence} (${what})`
}

const sizeOf = (bytes: number) =>
  bytes < 1024 ** 3 ? `${Math.round(bytes / 1024 ** 2)} MiB` : `${(bytes / 1024 ** 3).toFixed(1)} GiB`
