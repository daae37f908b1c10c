/** `Intl` objects are dear to make and cheap to use: one of each kind per locale and options. */
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

export const numberFormat = cached(
  (...args: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...args),
)
export const dateFormat = cached(
  (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...args),
)
export const pluralRules = cached(
  (...args: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...args),
)
export const relativeFormat = cached(
  (tag: string, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(tag, options),
)
export const listFormat = cached((tag: string, options: Intl.ListFormatOptions) => new Intl.ListFormat(tag, options))

/** What `icu-minify/format` wants. */
export const formatters = { getDateTimeFormat: dateFormat, getNumberFormat: numberFormat, getPluralRules: pluralRules }
