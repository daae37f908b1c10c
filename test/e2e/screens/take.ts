import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { LOCALES } from '../../../shared/locales.ts'
import { barriersIn, tooWideIn } from '../barriers.ts'
import { clippedIn } from '../clipped.ts'
import { calm } from './calm.ts'
import { makeVideo } from './film.ts'
import { isAlwaysDark, MOVING, SCREENS, SIGNED_OUT } from './list.ts'
import { type Place, startPlace } from './place.ts'
import { dateSample, NOW } from './sample.ts'
import type { Stage } from './stage.ts'

export type Form = 'light' | 'dark' | 'phone'

export interface TakeOptions {
  /** The folder of a screenshot, by its name without `.png`. */
  folderOf: (image: string) => string
  names: readonly string[]
  /** Language codes. */
  locales: readonly string[]
  forms: readonly Form[]
  /** Whether to check every screenshot for accessibility violations (axe) and for clipped texts. */
  check: boolean
}

const DESKTOP = { width: 1200, height: 760 }
const PHONE = { width: 390, height: 800 }

/** Takes screenshots of screens, and reports those that could not be reached. */
export async function takeAll(order: TakeOptions): Promise<void> {
  const executablePath = process.env.FILIGREE_CHROMIUM
  const place = await startPlace()
  const browser = await chromium.launch({
    args: place.browserArgs,
    ignoreDefaultArgs: ['--hide-scrollbars'],
    ...(executablePath !== undefined && { executablePath }),
  })
  try {
    await makeVideo(browser, join(place.root, 'Coast walk.webm'))
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

/** Runs two tasks at a time. */
async function inPairs<T>(rows: readonly (() => Promise<T>)[]): Promise<T[]> {
  const waiting = [...rows]
  const done: T[] = []
  const work = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) done.push(await row())
  }
  await Promise.all([work(), work()])
  return done
}

/** All screens in one language, on a desktop or a phone. One after the other, so that only the first loads the bundle. */
function takeRow(browser: Browser, place: Place, order: TakeOptions, locale: string, phone: boolean) {
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
      const file = (form: Form) => {
        const image = `${stem(name)}-${form}`
        return join(order.folderOf(image), `${image}.png`)
      }
      const own = isAlwaysDark(name) ? forms.filter(form => form !== 'dark') : forms
      const problems = await takeOne(context, place, name, { locale, phone }, { forms: own, file, check: order.check })
      process.stdout.write(`${stem(name)} ${forms.join(' ')} ${problems.length > 0 ? 'FAILED' : ''}\n`)
      failed.push(...problems.map(problem => `${stem(name)} (${phone ? 'phone' : 'desktop'}): ${problem}`))
    }
    await context.close()
    return failed
  }
}

interface ImageOptions extends Pick<TakeOptions, 'forms' | 'check'> {
  /** The path of a screenshot. */
  file: (form: Form) => string
}

/** One screen. @returns problems: that it could not be reached, or what the checks found */
async function takeOne(
  context: BrowserContext,
  place: Place,
  name: string,
  how: Pick<Stage, 'locale' | 'phone'>,
  { forms, check, file }: ImageOptions,
): Promise<string[]> {
  await dateSample(place.root)
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  await (MOVING.has(name) ? page.clock.install({ time: NOW }) : page.clock.setFixedTime(NOW))
  await page.addInitScript(resetTab, SIGNED_OUT.has(name) ? '' : await place.signIn())
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
      await mkdir(dirname(file(form)), { recursive: true })
      await writeFile(file(form), await small(shot))
      if (check)
        problems.push(...(await violationsOf(page, how.locale)).map(barrier => `${form} ${JSON.stringify(barrier)}`))
    }
    if (check) problems.push(...(await clippedTexts(page, how.phone)))
    return problems
  } finally {
    // Requests that are still open would fail once the routes are gone.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.close({ runBeforeUnload: false })
  }
}

/** The pseudo-locale puts every text in brackets, so no accessible name begins with the visible label. */
async function violationsOf(page: Page, locale: string) {
  const found = await barriersIn(page)
  return locale === 'pseudo' ? found.filter(({ id }) => id !== 'label-content-name-mismatch') : found
}

/** Clipped and overflowing texts; on a phone, also at the smallest supported viewport. */
async function clippedTexts(page: Page, phone: boolean): Promise<string[]> {
  const clipped = await clippedIn(page)
  if (!phone) return [...clipped, ...(await tooWideIn(page))]
  await page.setViewportSize({ width: 320, height: 640 })
  return [...clipped, ...(await tooWideIn(page)), ...(await clippedIn(page))]
}

/** Runs in every new tab: clears the state of the last screen, and signs the user in. */
function resetTab(token: string): void {
  if (sessionStorage.getItem('gallery') !== null) return
  localStorage.clear()
  sessionStorage.setItem('gallery', 'begun')
  for (const name of ['filigree', 'filigree-uploads']) indexedDB.deleteDatabase(name)
  if (token !== '') localStorage.setItem('jwt', token)
}

function openContext(browser: Browser, locale: string, phone: boolean): Promise<BrowserContext> {
  // The pseudo-locale's tag: longer texts, from right to left.
  const tag = locale === 'pseudo' ? 'ar-XB' : (LOCALES.find(({ code }) => code === locale)?.tag ?? locale)
  return browser.newContext({
    viewport: phone ? PHONE : DESKTOP,
    ...(phone && { hasTouch: true, isMobile: true }),
    locale: tag === 'en' ? 'en-GB' : tag,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
}

/** Reduced to a palette of 128 colours, which is hardly visible in an interface. */
const small = (shot: Buffer): Promise<Buffer> =>
  sharp(shot).png({ palette: true, colours: 128, dither: 0, effort: 10, compressionLevel: 9 }).toBuffer()
