import type { Browser, Locator } from '@playwright/test'
import { linkTo } from '../api/links-client.ts'
import { App } from './app.ts'
import { ANONYMOUS, test as base } from './fixtures.ts'

/** A share link to something in the corner; visitors are not signed in. */
export const test = base.extend<{ shareLink: (path: string, body?: object) => Promise<string> }>({
  storageState: ANONYMOUS,
  shareLink: async ({ server, token, corner }, use) => {
    await use(async (path, body = {}) => `/share/${(await linkTo(server, token, corner.path + path, body)).hash}`)
  },
})

export const heading = (app: App): Locator => app.page.getByRole('heading', { level: 1 })
export const password = (app: App): Locator => app.page.getByLabel('Password', { exact: true })

export const PHONE = { width: 390, height: 844 }

/** The page of a visitor, in a browser of its own. */
export async function visit(browser: Browser, url: string, hash: string, viewport = PHONE): Promise<App> {
  const context = await browser.newContext({ storageState: ANONYMOUS, viewport, hasTouch: viewport === PHONE })
  const visitor = new App(await context.newPage(), url)
  await visitor.open(`/share/${hash}`)
  return visitor
}
