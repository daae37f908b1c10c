import { t } from '../../lib/i18n/index.ts'
import { type Chosen, fromFiles } from './walk.ts'

/** The name that browsers give an image without a file. */
const IMAGE = 'image.png'
/** Milliseconds within which the browser has made the file of such an image. */
const JUST_NOW = 60_000

/** Pasted files. A screenshot is named after the time: `Screenshot 2026-11-27 18.40.12.png`. */
export function fromPaste(files: readonly File[], now = Date.now()): Chosen {
  return fromFiles(files.map(file => (isScreenshot(file, now) ? renamed(file) : file)))
}

function isScreenshot({ name, lastModified }: File, now: number): boolean {
  return name === IMAGE && now - lastModified < JUST_NOW
}

function renamed(file: File): File {
  const { lastModified, type } = file
  return new File([file], `${t('uploads.screenshot')} ${stampOf(new Date(lastModified))}.png`, { lastModified, type })
}

/** Local time, in a form that sorts and that every file system takes. */
function stampOf(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join('.')}`
}
