import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { LOCALES } from '../../../shared/locales.ts'
import { barriersIn, tooWideIn } from '../barriers.ts'
import { clippedIn } from '../clipped.ts'
import { calm } from './calm.ts'
import { makeFilm } from './film.ts'
import { isAlwaysDark, MOVING, SCREENS, SIGNED_OUT } from './list.ts'
import { type Place, startPlace } from './place.ts'
import { dateSample, NOW } from './sample.ts'
import type { Stage } from './stage.ts'

export type Form = 'light' | 'dark' | 'phone'

export interface Order {
  folder: string
  names: readonly string[]
  /** Codes of languages. */
  locales: readonly string[]
  forms: readonly Form[]
  /** Whether every picture is looked at for barriers, by axe, and for texts without enough room. */
  check: boolean
}

const DESK = { width: 1200, height: 760 }
const PHONE = { width: 390, height: 800 }

/** Takes pictures of screens; tells on the way which ones could not be reached. */
export async function takeAll(order: Order): Promise<void> {
  await mkdir(order.folder, { recursive: true })
  const executablePath = process.env.FILIGREE_CHROMIUM
  const place = await startPlace()
  const browser = await chromium.launch({
    args: place.browserArgs,
    ignoreDefaultArgs: ['--hide-scrollbars'],
    ...(executablePath !== undefined && { executablePath }),
  })
  try {
    await makeFilm(browser, join(place.root, 'Coast walk.webm'))
    const rows = order.locales.flatMap(locale =>
      [false, true].map(phone => takeRow(browser, place, order, locale, phone)),
    )
    const failed = (await inPairs(rows)).flat()
    for (const line of failed) process.stderr.write(`${line}\n`)
    if (failed.length > 0) process.exitCode = 1
  } finally {
    await browser.close()
    await place.stop()
  }
}

/** Runs two at a time. */
async function inPairs<T>(rows: readonly (() => Promise<T>)[]): Promise<T[]> {
  const waiting = [...rows]
  const done: T[] = []
  const work = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) done.push(await row())
  }
  await Promise.all([work(), work()])
  return done
}

/** All screens in one language, at a desk or on a telephone. One after the other, so that only the first waits for files. */
function takeRow(browser: Browser, place: Place, order: Order, locale: string, phone: boolean) {
  return async (): Promise<string[]> => {
    const forms = order.forms.filter(form => (form === 'phone') === phone)
    if (forms.length === 0) return []
    const context = await openContext(browser, locale, phone)
    const warm = await context.newPage()
    await warm.goto(`${place.url}/login`)
    await warm.locator('input[type=password]').first().waitFor()
    await warm.close()
    const failed: string[] = []
    const stem = (name: string) => (order.locales.length > 1 || locale !== 'en' ? `${name}-${locale}` : name)
    for (const name of order.names) {
      const file = (form: Form) => join(order.folder, `${stem(name)}-${form}.png`)
      const own = isAlwaysDark(name) ? forms.filter(form => form !== 'dark') : forms
      const problems = await takeOne(context, place, name, { locale, phone }, { forms: own, file, check: order.check })
      process.stdout.write(`${stem(name)} ${forms.join(' ')} ${problems.length > 0 ? 'FAILED' : ''}\n`)
      failed.push(...problems.map(problem => `${stem(name)} (${phone ? 'phone' : 'desk'}): ${problem}`))
    }
    await context.close()
    return failed
  }
}

interface Wish extends Pick<Order, 'forms' | 'check'> {
  /** Where a picture goes. */
  file: (form: Form) => string
}

/** One screen. @returns what is wrong: that it could not be reached, or what was found in it */
async function takeOne(
  context: BrowserContext,
  place: Place,
  name: string,
  how: Pick<Stage, 'locale' | 'phone'>,
  { forms, check, file }: Wish,
): Promise<string[]> {
  await dateSample(place.root)
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await (MOVING.has(name) ? page.clock.install({ time: NOW }) : page.clock.setFixedTime(NOW))
  await page.addInitScript(beginAnew, SIGNED_OUT.has(name) ? '' : await place.signIn())
  await calm(page, place.origin)
  const problems: string[] = []
  try {
    const stage: Stage = { page, url: place.url, origin: place.origin, links: place.links, ...how }
    await SCREENS[name]?.(stage).catch((error: unknown) => problems.push(String(error).split('\n')[0] ?? ''))
    await context.setOffline(false)
    for (const form of forms) {
      await page.emulateMedia({ colorScheme: form === 'dark' ? 'dark' : 'light' })
      await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
      const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' })
      await writeFile(file(form), await small(shot))
      if (check)
        problems.push(...(await barriersOf(page, how.locale)).map(barrier => `${form} ${JSON.stringify(barrier)}`))
    }
    if (check) problems.push(...(await withoutRoom(page, how.phone)))
    return problems
  } finally {
    // What the page still asks for has nobody to answer it any more.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close({ runBeforeUnload: false })
  }
}

/** The language nobody speaks puts every text in brackets, so that no name of a button begins with the words on it. */
async function barriersOf(page: Page, locale: string) {
  const found = await barriersIn(page)
  return locale === 'pseudo' ? found.filter(({ id }) => id !== 'label-content-name-mismatch') : found
}

/** What has not enough room; a telephone is looked at once more when it is the narrowest there is. */
async function withoutRoom(page: Page, phone: boolean): Promise<string[]> {
  const clipped = await clippedIn(page)
  if (!phone) return [...clipped, ...(await tooWideIn(page))]
  await page.setViewportSize({ width: 320, height: 640 })
  return [...clipped, ...(await tooWideIn(page)), ...(await clippedIn(page))]
}

/** Runs in every new tab: nothing is left of the screen before, and the right person is logged in. */
function beginAnew(token: string): void {
  if (sessionStorage.getItem('gallery') !== null) return
  localStorage.clear()
  sessionStorage.setItem('gallery', 'begun')
  for (const name of ['filigree', 'filigree-uploads']) indexedDB.deleteDatabase(name)
  if (token !== '') localStorage.setItem('jwt', token)
}

function openContext(browser: Browser, locale: string, phone: boolean): Promise<BrowserContext> {
  // The browser language that stands for texts longer than they are, from right to left.
  const tag = locale === 'pseudo' ? 'ar-XB' : (LOCALES.find(({ code }) => code === locale)?.tag ?? locale)
  return browser.newContext({
    viewport: phone ? PHONE : DESK,
    ...(phone && { hasTouch: true, isMobile: true }),
    locale: tag === 'en' ? 'en-GB' : tag,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
}

/** With few colours, in which a picture of an interface hardly differs. */
const small = (shot: Buffer): Promise<Buffer> =>
  sharp(shot).png({ palette: true, colours: 128, dither: 0, effort: 10, compressionLevel: 9 }).toBuffer()
