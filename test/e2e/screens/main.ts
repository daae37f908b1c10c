import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { LOCALES } from '../../../shared/locales.ts'
import { writeIndex } from './index.ts'
import { KEPT } from './kept.ts'
import { LOCALE_SCREENS, SCREENS } from './list.ts'
import { type Form, takeAll } from './take.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    locales: { type: 'boolean', default: false },
    locale: { type: 'string', multiple: true },
    check: { type: 'boolean', default: false },
    form: { type: 'string', multiple: true },
    out: { type: 'string' },
  },
})

/** Screenshots in other languages, and those that KEPT does not list, go to folders that git ignores. */
const foreign = values.locales || values.locale !== undefined
const folderIn = (path: string) => fileURLToPath(new URL(`../../../docs/screens/${path}`, import.meta.url))
const folderOf = (image: string) => values.out ?? folderIn(foreign ? 'locales' : image in KEPT ? '' : 'all')
const wanted = (name: string) => values.only === undefined || values.only.some(part => name.includes(part))

const { check } = values
const forms = (...usual: Form[]) => usual.filter(form => values.form === undefined || values.form.includes(form))

if (values.locales) {
  const locales = values.locale ?? LOCALES.map(({ code }) => code)
  const names = LOCALE_SCREENS.filter(wanted)
  await takeAll({ folderOf, names, locales, forms: forms('light', 'phone'), check })
} else {
  const names = Object.keys(SCREENS).filter(wanted)
  const locales = values.locale ?? ['en']
  await takeAll({ folderOf, names, locales, forms: forms('light', 'dark', 'phone'), check })
  if (values.out === undefined && !foreign) writeIndex(folderIn(''))
}
