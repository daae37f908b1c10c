/** Formatting data of a language that browsers may not support. */
export interface Formats {
  number(options: Intl.NumberFormatOptions): Intl.NumberFormat
  date(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat
  relative(options: Intl.RelativeTimeFormatOptions): Intl.RelativeTimeFormat
  list(options: Intl.ListFormatOptions): Intl.ListFormat
}

/**
 * Numbers, dates and times in Icelandic, which Chromium's ICU data lacks: from the Common Locale Data Repository, for
 * the styles that this interface uses.
 */
export const icelandic: Formats = {
  // Written alike in Dutch, and the list in Danish.
  number: options => new Intl.NumberFormat('nl', options),
  list: options => new Intl.ListFormat('da', options),
  date: options => new IcelandicDate(options),
  relative: options => new IcelandicRelative(options),
}

const MONTHS = ['jan.', 'feb.', 'mar.', 'apr.', 'maí', 'jún.', 'júl.', 'ágú.', 'sep.', 'okt.', 'nóv.', 'des.'] as const

/** `21. sep. 2026, 14:13`, or one of both parts. */
class IcelandicDate extends Intl.DateTimeFormat {
  readonly #date: boolean
  readonly #time: Intl.DateTimeFormatOptions['timeStyle']

  constructor(options: Intl.DateTimeFormatOptions) {
    super('nl', options)
    this.#date = options.dateStyle !== undefined
    this.#time = options.timeStyle
  }

  override format(date: Date | number = Date.now()): string {
    const when = new Date(date)
    const day = `${when.getDate()}. ${MONTHS[when.getMonth()] ?? ''} ${when.getFullYear()}`
    const seconds = this.#time === 'medium' ? [when.getSeconds()] : []
    const time = [when.getHours(), when.getMinutes(), ...seconds].map(part => String(part).padStart(2, '0')).join(':')
    return [...(this.#date ? [day] : []), ...(this.#time ? [time] : [])].join(', ')
  }
}

interface Unit {
  /** Forms after `fyrir`: singular, plural. */
  ago: readonly [one: string, several: string]
  /** Forms after `eftir`. */
  ahead: readonly [one: string, several: string]
  /** Relative terms without a number, by that number. */
  near: Readonly<Record<number, string>>
}

const UNITS: Readonly<Record<string, Unit>> = {
  year: {
    ago: ['ári', 'árum'],
    ahead: ['ár', 'ár'],
    near: { '-1': 'á síðasta ári', 0: 'á þessu ári', 1: 'á næsta ári' },
  },
  month: {
    ago: ['mánuði', 'mánuðum'],
    ahead: ['mánuð', 'mánuði'],
    near: { '-1': 'í síðasta mánuði', 0: 'í þessum mánuði', 1: 'í næsta mánuði' },
  },
  week: {
    ago: ['viku', 'vikum'],
    ahead: ['viku', 'vikur'],
    near: { '-1': 'í síðustu viku', 0: 'í þessari viku', 1: 'í næstu viku' },
  },
  day: {
    ago: ['degi', 'dögum'],
    ahead: ['dag', 'daga'],
    near: { '-2': 'í fyrradag', '-1': 'í gær', 0: 'í dag', 1: 'á morgun', 2: 'eftir tvo daga' },
  },
  hour: {
    ago: ['klukkustund', 'klukkustundum'],
    ahead: ['klukkustund', 'klukkustundir'],
    near: { 0: 'þessa stundina' },
  },
  minute: { ago: ['mínútu', 'mínútum'], ahead: ['mínútu', 'mínútur'], near: { 0: 'á þessari mínútu' } },
  second: { ago: ['sekúndu', 'sekúndum'], ahead: ['sekúndu', 'sekúndur'], near: { 0: 'núna' } },
}

const plurals = new Intl.PluralRules('is')

/** `fyrir 4 dögum`, `í gær`. */
class IcelandicRelative extends Intl.RelativeTimeFormat {
  readonly #options: Intl.RelativeTimeFormatOptions

  constructor(options: Intl.RelativeTimeFormatOptions) {
    super('nl', options)
    this.#options = options
  }

  override format(value: number, unit: Intl.RelativeTimeFormatUnit): string {
    const words = UNITS[unit]
    if (!words) return super.format(value, unit)
    const near = this.#options.numeric === 'auto' ? words.near[value] : undefined
    if (near !== undefined) return near
    const count = Math.abs(value)
    const [one, several] = value < 0 ? words.ago : words.ahead
    const form = plurals.select(count) === 'one' ? one : several
    return `${value < 0 ? 'fyrir' : 'eftir'} ${icelandic.number({}).format(count)} ${form}`
  }
}
