import { ALL_SETTINGS } from './settings.ts'

/** The flags and variables as lines for the help text. */
export function describeSettings(): string[] {
  return ALL_SETTINGS.map(setting => {
    const short = setting.short ? `-${setting.short}, ` : '    '
    const name = setting.flag ? `${short}--${setting.flag}` : `    (${setting.env[0]})`
    const fallback = setting.default === '' ? '' : ` Default: ${setting.default}.`
    return `  ${name.padEnd(28)} ${setting.doc}${fallback}`
  })
}
