import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { pseudoMessage } from '../../../web/tools/pseudo.ts'
import { encode } from '../../api/client.ts'

/** The page, its server and its language. */
export interface Stage {
  page: Page
  /** The URL that the browser uses, without a trailing slash. */
  url: string
  /** The real origin of the server. */
  origin: string
  /** A locale code of `shared/locales.ts`. */
  locale: string
  /** Whether it is a phone: narrow, with touch. */
  phone: boolean
  /** URLs of share links, by their target. */
  links: Readonly<Record<'folder' | 'photos' | 'image' | 'locked', string>>
}

const english = catalogue('en')

function catalogue(locale: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(new URL(`../../../web/locales/${locale}.json`, import.meta.url), 'utf8'))
  } catch {
    return {}
  }
}

/** A text without arguments, in the page's language. */
export function textOf(stage: Stage, key: string): string {
  const text = catalogue(stage.locale)[key] ?? english[key] ?? key
  return stage.locale === 'pseudo' ? String(pseudoMessage(text)) : text
}

/** Opens a path below the base URL; it must be percent-encoded. */
export async function open(stage: Stage, address: string): Promise<void> {
  await stage.page.goto(stage.url + address)
  await quiet(stage)
}

/** Opens a folder and waits for its rows. */
export async function openFolder(stage: Stage, path = ''): Promise<void> {
  await open(stage, `/files${encode(path)}/`)
  const rows = stage.page.locator('[role=grid] [role=row][data-index]')
  await rows
    .or(stage.page.getByText(textOf(stage, 'files.empty')))
    .first()
    .waitFor()
}

/** Waits until the page is idle: requests, fonts and images. */
export async function quiet(stage: Stage): Promise<void> {
  const { page } = stage
  const waiting = page.getByRole('status').filter({ hasText: textOf(stage, 'common.loading') })
  await page.locator('#loading').waitFor({ state: 'detached' })
  await page.waitForFunction(isThere)
  await waiting.first().waitFor({ state: 'detached' })
}

/** Runs in the page. The network is never idle, since an event stream stays open. */
function isThere(): boolean {
  const areImagesLoaded = [...document.images].every(image => image.complete)
  const begun = document.querySelector('h1, h2, form, [role=grid]') !== null
  const busy = document.querySelector('[aria-busy=true]') !== null
  return begun && !busy && areImagesLoaded && document.fonts.status === 'loaded'
}

export const row = ({ page }: Stage, name: string): Locator =>
  page.locator('[role=row][data-index]').filter({ has: page.locator(`input[aria-label*=${JSON.stringify(name)}]`) })

export const button = (stage: Stage, key: string): Locator =>
  stage.page.getByRole('button', { name: textOf(stage, key), exact: true })

export const dialog = ({ page }: Stage): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'))

/** Selects rows with the mouse. */
export async function select(stage: Stage, ...names: string[]): Promise<void> {
  for (const [index, name] of names.entries())
    await row(stage, name).click({ modifiers: index === 0 ? [] : ['Control'], position: { x: 120, y: 16 } })
}

/** Opens the menu of a row and selects a command. */
export async function command(stage: Stage, name: string, key: string): Promise<void> {
  await row(stage, name).click({ button: 'right', position: { x: 120, y: 16 } })
  await stage.page.getByRole('menuitem', { name: textOf(stage, key) }).click()
}

/** The field for a name: in its row, or in a dialog on a phone. */
export const nameField = (stage: Stage): Locator =>
  stage.page.getByRole('grid').or(dialog(stage)).getByRole('textbox').first()

/** Presses a key that opens a dialog. */
export async function openByKey(stage: Stage, keys: string): Promise<void> {
  await stage.page.keyboard.press(keys)
  await dialog(stage).waitFor()
}

/** Switches the view of folders, for this page only. */
export async function inView(stage: Stage, view: 2 | 3): Promise<void> {
  await stage.page.route('**/api/users/*', route => route.fulfill({ status: 200 }))
  await stage.page.keyboard.press(`Control+Shift+Digit${view}`)
  await stage.page.locator('[role=columnheader]').first().waitFor({ state: 'detached' })
  await quiet(stage)
}
