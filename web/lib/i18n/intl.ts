import type { Formats } from './icelandic.ts'

/** `Intl` objects are expensive to construct: one of each kind is cached per locale and options. */
function cached<A extends unknown[], T>(make: (...args: A) => T): (...args: A) => T {
  const made = new Map<string, T>()
  return (...args) => {
    const key = JSON.stringify(args)
    const known = made.get(key)
    if (known !== undefined) return known
    const fresh = make(...args)
    made.set(key, fresh)
    return fresh
  }
}

const own = new Map<string, Formats>()

/** Languages that browsers may not support, with their formatters. */
const OWN_FORMATS: Readonly<Record<string, () => Promise<Formats>>> = {
  is: async () => (await import('./icelandic.ts')).icelandic,
}

/** Must be called before anything is formatted in a language. @throws what the import throws */
export async function loadFormats(tag: string): Promise<void> {
  const learn = OWN_FORMATS[tag]
  if (learn && !own.has(tag) && Intl.DateTimeFormat.supportedLocalesOf(tag).length === 0) own.set(tag, await learn())
}

export const numberFormat = cached(
  (tag: string, options: Intl.NumberFormatOptions) =>
    own.get(tag)?.number(options) ?? new Intl.NumberFormat(tag, options),
)
export const dateFormat = cached(
  (tag: string, options: Intl.DateTimeFormatOptions) =>
    own.get(tag)?.date(options) ?? new Intl.DateTimeFormat(tag, options),
)
export const pluralRules = cached(
  (...args: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...args),
)
export const relativeFormat = cached(
  (tag: string, options: Intl.RelativeTimeFormatOptions) =>
    own.get(tag)?.relative(options) ?? new Intl.RelativeTimeFormat(tag, options),
)
export const listFormat = cached(
  (tag: string, options: Intl.ListFormatOptions) => own.get(tag)?.list(options) ?? new Intl.ListFormat(tag, options),
)

/** The formatter interface of `icu-minify/format`. */
export const formatters = { getDateTimeFormat: dateFormat, getNumberFormat: numberFormat, getPluralRules: pluralRules }
