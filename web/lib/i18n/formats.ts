/** Formatting data of a language that browsers may not support. */
export interface Formats {
  number(options: Intl.NumberFormatOptions): Intl.NumberFormat
  date(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat
  relative(options: Intl.RelativeTimeFormatOptions): Intl.RelativeTimeFormat
  list(options: Intl.ListFormatOptions): Intl.ListFormat
}
