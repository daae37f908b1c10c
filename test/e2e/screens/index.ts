import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlwaysDark, SCREENS } from './list.ts'

/** Writes the page that shows the gallery. */
export function writeIndex(folder: string): void {
  const rows = Object.keys(SCREENS).map(name => {
    const picture = (form: string) => `![${name}, ${form}](${name}-${form}.png)`
    const forms = isAlwaysDark(name) ? ['light', 'phone'] : ['light', 'dark', 'phone']
    return `## ${name}\n\n${forms.map(picture).join('\n')}`
  })
  const head = '# Every screen\n\nWritten by `npm run screens`; the same sample on every run.\n'
  writeFileSync(join(folder, 'README.md'), `${head}\n${rows.join('\n\n')}\n`)
}
