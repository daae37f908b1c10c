/** How a language writes, where browsers may not know it. */
export interface Formats {
  number(options: Intl.NumberFormatOptions): Intl.NumberFormat
  date(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat
  relative(options: Intl.RelativeTimeFormatOptions): Intl.RelativeTimeFormat
  list(options: Intl.ListFormatOptions): Intl.ListFormat
}
