/** A value in a filter (RFC 4515 3): what has a meaning there stands as its byte in hexadecimal. */
export const escaped = (value: string): string =>
  value.replace(/[\\*()\0]/g, character => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`)

/** A filter with the escaped values for the names in braces. */
export const filled = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? escaped(values[name] ?? '') : whole,
  )

/** A filter for entries that fit any of some filters. */
export const anyOf = (filters: readonly string[]): string => `(|${filters.join('')})`
